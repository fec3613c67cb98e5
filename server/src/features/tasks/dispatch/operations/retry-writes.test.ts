import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { type ScriptedTurn, scriptedModel, shownResults } from "../../../../testing/models.ts";
import { approve, taskRow } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { approvalsOf, changeFacts, underPolicy } from "../../runs/testing.ts";

const app = useApp();
const worker = useWorkerProcess(app);

/** The bodies that the service received which the tool writes to. */
const received: unknown[] = [];
const target = createServer((request, response) => {
  let text = "";
  request.on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => {
    received.push(JSON.parse(text));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(`{"sent":${received.length}}`);
  });
});

/** Gives the sample's first skill a provider's model by name and a tool that writes. */
const withWriter = () => {
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/mail`;
  const tool = {
    name: "send_mail",
    kind: "http",
    effect: "write",
    request: { method: "POST", url, body: { to: "{to}" } },
    arguments: {
      type: "object",
      required: ["to"],
      properties: { to: { type: "string" } },
      additionalProperties: false,
    },
  };
  return changeFacts(
    app,
    worker,
    "agents",
    `update agent_versions set definition = definition || jsonb_build_object('model', '{"provider":"openai","name":"sample-model"}'::jsonb,
       'tools', jsonb_build_array(definition -> 'tools' -> 0, $1::jsonb), 'skills', jsonb_build_array((definition -> 'skills' -> 0)
       || '{"tools":["get_lead","send_mail"],"output":{"type":"object"}}')) where agent = 'sales'`,
    [JSON.stringify(tool)],
  );
};

/** Writes to each address in turn, then answers with what came of the last write; with `fails`, in a form that ends the task as failed. */
const writing = (addresses: readonly string[], { fails = false } = {}) =>
  scriptedModel((_turn, given): ScriptedTurn => {
    const made = given.prompt.filter(({ role }) => role === "tool").length;
    const to = addresses[made];
    if (to !== undefined) return { calls: [{ tool: "send_mail", input: { to } }] };
    return { text: fails ? "no object" : JSON.stringify(shownResults(given).send_mail) };
  });

const retry = async (task: string, body: object = {}): Promise<void> => {
  const { status, text } = await app.call("POST", `/v1/tasks/${task}/retry`, { body });
  expect(status, text).toBe(202);
};

/** Hands the task to a worker with this model. Answers its state then. */
async function run(task: string, model: ReturnType<typeof writing>): Promise<string> {
  worker.say(model);
  await worker.handed()(task);
  return (await taskRow(app, task)).status;
}

const dispatched = async (require_approval: boolean): Promise<string> =>
  (await app.dispatch({ require_approval })).task_id;

/** Lets writes follow on text that was read, so that nobody is asked about a call for that reason. */
const untainted = (work: () => Promise<void>) =>
  underPolicy(
    app,
    worker,
    { scope: { actions: ["tool.call"] }, effect: "tag", params: { tags: ["taint:accepted"] } },
    work,
  );

beforeAll(() => new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve)));
afterAll(() => void target.close());
beforeEach(() => withWriter());
afterEach(async () => {
  received.length = 0;
  await app.pool.query("delete from graphile_worker._private_jobs");
});

describe("a task that people approved once and that is tried again", () => {
  it("writes once, however often it is tried again from the start and from a step", async () => {
    await untainted(async () => {
      const task = await dispatched(true);
      await approve(app, task);
      const fails = writing(["somebody"], { fails: true });
      expect(await run(task, fails)).toBe("failed");
      for (const body of [{ from: "start" }, { from: "step", step: 1 }, { from: "step", step: 2 }]) {
        await retry(task, body);
        expect(await run(task, fails)).toBe("failed");
      }
      expect(received).toEqual([{ to: "somebody" }]);
    });
  });

  it("goes on with the result of the write that finished, and says where that is from", async () => {
    await untainted(async () => {
      const task = await dispatched(true);
      await approve(app, task);
      expect(await run(task, writing(["somebody"], { fails: true }))).toBe("failed");
      await retry(task, { from: "start" });
      expect(await run(task, writing(["somebody"]))).toBe("completed");
      expect((await taskRow(app, task)).output).toMatchObject({ data: { status: 200, body: { sent: 1 } } });
      const { data } = (await app.call("GET", `/v1/tasks/${task}/steps`)).body;
      const [first, again] = data.filter(({ name }: { name: string }) => name === "send_mail");
      expect(first.reused_from).toBeNull();
      expect(again).toMatchObject({ state: "finished", reused_from: first.step_id, output: first.output, cost_usd: 0 });
    });
  });

  it("asks about a write with other arguments that takes the place of one that finished", async () => {
    await untainted(async () => {
      const task = await dispatched(true);
      await approve(app, task);
      expect(await run(task, writing(["somebody"], { fails: true }))).toBe("failed");
      await retry(task, { from: "start" });
      expect(await run(task, writing(["somebody else"]))).toBe("awaiting_approval");
      expect(received).toHaveLength(1);
      expect((await approvalsOf(app, task)).at(-1)).toMatchObject({
        status: "pending",
        reasons: [expect.stringContaining("send_mail finished in an earlier attempt")],
      });
      await approve(app, task);
      expect(await run(task, writing(["somebody else"]))).toBe("completed");
      expect(received).toEqual([{ to: "somebody" }, { to: "somebody else" }]);
    });
  });

  it("makes what it had not come to without asking again", async () => {
    await untainted(async () => {
      const task = await dispatched(true);
      await approve(app, task);
      expect(await run(task, writing(["first"], { fails: true }))).toBe("failed");
      await retry(task, { from: "start" });
      expect(await run(task, writing(["first", "second"]))).toBe("completed");
      expect(received).toEqual([{ to: "first" }, { to: "second" }]);
    });
  });
});

describe("a write that people approved by itself", () => {
  it("is neither made nor asked about again when its task is tried again", async () => {
    const task = await dispatched(false);
    const fails = writing(["somebody"], { fails: true });
    expect(await run(task, fails)).toBe("awaiting_approval");
    await approve(app, task);
    expect(await run(task, fails)).toBe("failed");
    for (const body of [{ from: "start" }, { from: "step", step: 2 }]) {
      await retry(task, body);
      expect(await run(task, fails)).toBe("failed");
    }
    expect(received).toHaveLength(1);
    expect(await approvalsOf(app, task)).toHaveLength(1);
  });

  it("stands for the call that people changed before they approved it", async () => {
    const task = await dispatched(false);
    expect(await run(task, writing(["somebody"], { fails: true }))).toBe("awaiting_approval");
    const { digest } = (await app.call("GET", `/v1/approvals/${task}`)).body;
    const edited = await app.call("POST", `/v1/approvals/${task}/approve`, {
      body: { digest, edits: { to: "nobody" } },
    });
    expect(edited.status, edited.text).toBe(200);
    expect(await run(task, writing(["somebody"], { fails: true }))).toBe("failed");
    await retry(task, { from: "start" });
    expect(await run(task, writing(["somebody"]))).toBe("completed");
    expect(received).toEqual([{ to: "nobody" }]);
    expect((await taskRow(app, task)).output).toMatchObject({ arguments_changed_by_people_to: { to: "nobody" } });
  });
});

describe("a write that nobody had to approve", () => {
  it("is made as often as a run asks for it, and no more often by trying again", async () => {
    await untainted(async () => {
      const task = await dispatched(false);
      expect(await run(task, writing(["twice", "twice"], { fails: true }))).toBe("failed");
      await retry(task, { from: "start" });
      expect(await run(task, writing(["twice", "twice"], { fails: true }))).toBe("failed");
      expect(received).toHaveLength(2);
      await retry(task, { from: "start" });
      expect(await run(task, writing(["twice", "other", "twice", "twice"]))).toBe("completed");
      expect(received).toEqual([{ to: "twice" }, { to: "twice" }, { to: "other" }, { to: "twice" }]);
    });
  });
});
