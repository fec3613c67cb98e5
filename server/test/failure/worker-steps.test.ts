import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requeueTask } from "../../src/features/tasks/runs/operations/requeue-task.ts";
import { changeFacts } from "../../src/features/tasks/runs/testing.ts";
import type { TaskRunnerPort } from "../../src/runtime/index.ts";
import { useApp } from "../../src/testing/app.ts";
import { scriptedModel, shownResults } from "../../src/testing/models.ts";
import { lapse, taskRow } from "../../src/testing/tasks.ts";
import { useWorkerProcess } from "../../src/testing/worker.ts";

// Workers that are lost at every boundary of a step and inside of every kind of step: what a lost worker had not done is not done, and what it did
// not write down nobody knows. Whoever goes on makes no finished step again, and no action that may have taken effect.

const app = useApp();
const process = useWorkerProcess(app);

/** The keys of what came in at the service that the run writes to, by task. */
const received = new Map<string, string[]>();
const target = createServer((request, response) => {
  let text = "";
  request.on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => {
    const { task } = JSON.parse(text) as { task: string };
    received.set(task, [...(received.get(task) ?? []), String(request.headers["idempotency-key"])]);
    response.writeHead(200, { "content-type": "application/json" });
    response.end("{}");
  });
});

/** Looks a record up, writes, answers. */
const model = scriptedModel((_turn, given) => {
  const user = given.prompt[1]?.content[0] as { text: string };
  const { note } = JSON.parse(user.text) as { note: string };
  const done = shownResults(given);
  if (!("get_lead" in done)) return { calls: [{ tool: "get_lead", input: { lead_id: "ld_1001" } }] };
  if (!("send_note" in done)) return { calls: [{ tool: "send_note", input: { task: note } }] };
  return { text: JSON.stringify({ done: true }) };
});

/** The run, undisturbed, in calls of the port, each one's place from 1. */
const usual = [
  "start",
  "beginModel",
  "endStep",
  "callTool",
  "beginModel",
  "endStep",
  "callTool",
  "endStep",
  "beginModel",
  "endStep",
  "complete",
];

async function arrange(idempotent: boolean): Promise<void> {
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
  const tool = {
    name: "send_note",
    kind: "http",
    effect: "write",
    request: { method: "POST", url, body: { task: "{task}" } },
    arguments: { type: "object", required: ["task"], properties: { task: { type: "string" } } },
    ...(idempotent ? { idempotency: { header: "Idempotency-Key" } } : {}),
  };
  const skill = {
    tools: ["get_lead", "send_note"],
    output: { type: "object" },
    input: {
      type: "object",
      required: ["lead_id", "note"],
      properties: { lead_id: { type: "string" }, note: { type: "string" } },
    },
  };
  await changeFacts(
    app,
    process,
    "agents",
    `update agent_versions set definition = definition || jsonb_build_object('model', '{"provider":"openai","name":"sample-model"}'::jsonb,
       'tools', jsonb_build_array(definition -> 'tools' -> 0, $1::jsonb), 'skills', jsonb_build_array((definition -> 'skills' -> 0) || $2::jsonb)) where agent = 'sales'`,
    [JSON.stringify(tool), JSON.stringify(skill)],
  );
}

let notes = 0;
const queued = async (): Promise<{ task: string; note: string }> => {
  const note = `note-${++notes}`;
  return { task: (await app.dispatch({ require_approval: false, note })).task_id, note };
};

/** Where a worker is lost: at the n-th call of its port, before anything of that is done, or after all of it and before the worker hears of it. */
interface Loss {
  readonly at: number;
  readonly side: "before" | "after";
}

const never = <T>(): Promise<T> => new Promise(() => undefined);

/** Runs the task with a worker that is lost so. Answers whether it was; else the run came to its end before. */
async function runLosing(task: string, { at, side }: Loss): Promise<boolean> {
  const lost = Promise.withResolvers<true>();
  let calls = 0;
  let gone = false;
  const losing =
    <A extends unknown[], R>(call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      if (gone) return never();
      const here = ++calls === at;
      if (here) gone = true;
      if (here && side === "after") await call(...given);
      if (here) lost.resolve(true);
      return here ? never() : call(...given);
    };
  const { port } = process;
  const parts: Partial<TaskRunnerPort> = {
    start: losing(port.start),
    beginModel: losing(port.beginModel),
    callTool: losing(port.callTool),
    endStep: losing(port.endStep),
    complete: losing(port.complete),
    giveBack: async () => false, // so that what is left of it ends with the test
    held: async (leases) => new Set(leases.map(({ owner }) => owner)),
  };
  return Promise.race([
    lost.promise,
    process
      .handed(parts)(task)
      .then(() => false),
  ]);
}

/** The lease lapses, and the task goes back to the queue, as the sweeper sees to. */
async function takeBack(task: string): Promise<void> {
  await lapse(app, task);
  if ((await taskRow(app, task)).status === "running")
    await process.inside(requeueTask, app.scope, { task, owner: null });
}

/** The task is put back; another worker goes on, and people answer what is in doubt. */
async function goOn(task: string, note: string): Promise<void> {
  for (let round = 1; round <= 4; round++) {
    await takeBack(task);
    await process.handed()(task);
    const { status } = await taskRow(app, task);
    if (status !== "input_required") return;
    const answer = (received.get(note)?.length ?? 0) > 0 ? "it_took_effect" : "it_did_not";
    const answered = await app.call("POST", `/v1/tasks/${task}/input`, { body: { answer } });
    expect(answered.status).toBe(202);
    await process.handed()(task);
  }
}

const finishedOf = async (task: string): Promise<string[]> =>
  (await app.pool.query("select id from steps where task_id = $1 and state = 'finished' order by id", [task])).rows.map(
    ({ id }) => id as string,
  );

/** What holds after any loss: the task completed, each position of its run finished once, and what was finished when a worker was lost is among these. */
async function expectWhole(task: string, before: readonly string[]): Promise<void> {
  expect(await taskRow(app, task)).toMatchObject({ status: "completed", output: { done: true } });
  const { rows } = await app.pool.query(
    "select number, count(*)::int as n from steps where task_id = $1 and state = 'finished' group by 1 order by 1",
    [task],
  );
  expect(rows).toEqual([1, 2, 3, 4, 5].map((number) => ({ number, n: 1 })));
  expect(await finishedOf(task)).toEqual(expect.arrayContaining([...before]));
}

const losses: readonly Loss[] = usual.flatMap((_name, index) =>
  (["before", "after"] as const).map((side) => ({ at: index + 1, side })),
);
const named = ({ at, side }: Loss): string => `${side} call ${at}, ${usual[at - 1]}`;

beforeAll(async () => {
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  process.say(model);
  await app.policy({
    scope: { actions: ["tool.call"] },
    when: "true",
    effect: "tag",
    params: { tags: ["taint:accepted"] },
  });
  await process.refresh();
});
afterAll(() => void target.close());

describe("a worker that is lost", () => {
  it("is never lost in a run that nothing disturbs, whose calls are those that the losses below go through", async () => {
    await arrange(true);
    const calls: string[] = [];
    const { port } = process;
    const noting = (name: keyof TaskRunnerPort) =>
      ({
        [name]: (...given: never[]) => {
          calls.push(name);
          return (port[name] as (...all: never[]) => unknown)(...given);
        },
      }) as Partial<TaskRunnerPort>;
    const { task } = await queued();
    await process.handed({
      ...noting("start"),
      ...noting("beginModel"),
      ...noting("callTool"),
      ...noting("endStep"),
      ...noting("complete"),
    })(task);
    expect(calls).toEqual(usual);
    await expectWhole(task, []);
  });

  it("at any boundary of a step leaves a run that goes on: no finished step is made again, and a write is made with one key only", async () => {
    await arrange(true);
    await Promise.all(
      losses.map(async (loss) => {
        const { task, note } = await queued();
        expect([named(loss), await runLosing(task, loss)]).toEqual([named(loss), true]);
        const before = await finishedOf(task);
        await goOn(task, note);
        await expectWhole(task, before);
        expect(new Set(received.get(note)).size).toBe(1);
      }),
    );
  });

  it("never has a write made twice whose receiver does not know a repeated one: people are asked where it is in doubt", async () => {
    await arrange(false);
    await Promise.all(
      losses.map(async (loss) => {
        const { task, note } = await queued();
        expect(await runLosing(task, loss)).toBe(true);
        const before = await finishedOf(task);
        await goOn(task, note);
        await expectWhole(task, before);
        expect([named(loss), received.get(note)?.length]).toEqual([named(loss), 1]);
      }),
    );
  });

  it("may be lost again and again, up to the number of attempts that a task has", async () => {
    await arrange(false);
    const loss = fc.record({
      at: fc.integer({ min: 2, max: usual.length }),
      side: fc.constantFrom("before" as const, "after" as const),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(loss, { minLength: 2, maxLength: 3 }), async (all) => {
        const { task, note } = await queued();
        const before: string[] = [];
        for (const one of all) {
          await runLosing(task, one);
          before.push(...(await finishedOf(task)));
          await takeBack(task);
          const { status } = await taskRow(app, task);
          if (status !== "queued") break;
        }
        await goOn(task, note);
        await expectWhole(task, before);
        expect(received.get(note)).toHaveLength(1);
      }),
      { numRuns: 12 },
    );
  });
});
