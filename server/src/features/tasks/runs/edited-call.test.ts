import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { scriptedModel, shownResults } from "../../../testing/models.ts";
import { eventually, lapse, taskRow } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { changeFacts, underPolicy } from "./testing.ts";

const app = useApp();
const process = useWorkerProcess(app);

/** What came in at the service that the tool writes to. */
const received: { key: string | undefined; body: unknown }[] = [];
const target = createServer((request, response) => {
  let text = "";
  request.on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => {
    received.push({ key: request.headers["idempotency-key"] as string | undefined, body: JSON.parse(text) });
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"sent":true}');
  });
});

/** Wants to write to somebody, then answers with what it was told of that. */
const model = scriptedModel((_turn, given: LanguageModelV4CallOptions) => {
  const { send_mail: told } = shownResults(given);
  return told === undefined
    ? { calls: [{ tool: "send_mail", input: { to: "somebody" } }] }
    : { text: JSON.stringify({ told }) };
});

beforeAll(async () => {
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/mail`;
  const tool = {
    name: "send_mail",
    kind: "http",
    effect: "write",
    request: { method: "POST", url, body: { to: "{to}" } },
    arguments: {
      type: "object",
      required: ["to"],
      properties: { to: { type: "string", maxLength: 20 } },
      additionalProperties: false,
    },
    idempotency: { header: "Idempotency-Key" },
  };
  await changeFacts(
    app,
    process,
    "agents",
    `update agent_versions set definition = definition || jsonb_build_object('model', '{"provider":"openai","name":"sample-model"}'::jsonb,
       'tools', jsonb_build_array(definition -> 'tools' -> 0, $1::jsonb), 'skills', jsonb_build_array((definition -> 'skills' -> 0)
       || '{"tools":["get_lead","send_mail"],"output":{"type":"object"}}')) where agent = 'sales'`,
    [JSON.stringify(tool)],
  );
  process.say(model);
});
afterAll(() => void target.close());
afterEach(() => {
  received.length = 0;
});

/** A task that has come to the approval of its call. */
async function waiting(): Promise<string> {
  const { task_id } = await app.dispatch({ require_approval: false });
  await process.handed()(task_id);
  expect((await taskRow(app, task_id)).status).toBe("awaiting_approval");
  return task_id;
}

const read = async (task: string) => (await app.call("GET", `/v1/approvals/${task}`)).body;
const edit = async (task: string, edits: object, key = "admin") =>
  app.call("POST", `/v1/approvals/${task}/approve`, { key, body: { edits, digest: (await read(task)).digest } });
const stepsOf = async (task: string) => (await app.call("GET", `/v1/tasks/${task}/steps`)).body.data;

describe("a call that people edit before they approve it", () => {
  it("is made with what they want, once, and the agent is told so", async () => {
    const task = await waiting();
    const shown = await read(task);
    const { status, body } = await edit(task, { to: "bob" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{
        status: "approved",
        task_status: "queued",
        round: 2,
        previous_id: shown.approval_id,
        tool: "send_mail",
        digest_matches: true,
      },
      action: { tool: "send_mail", arguments: { to: "bob" } },
    });
    expect(await read(shown.approval_id)).toMatchObject({
      status: "superseded",
      action: { arguments: { to: "somebody" } },
    });
    await process.handed()(task);
    expect(received.map((one) => one.body)).toEqual([{ to: "bob" }]);
    expect((await read(task)).status).toBe("consumed");
    expect(await taskRow(app, task)).toMatchObject({
      status: "completed",
      output: { told: { from: "send_mail", arguments_changed_by_people_to: { to: "bob" }, data: { status: 200 } } },
    });
    const [, call] = await stepsOf(task);
    expect(call).toMatchObject({
      name: "send_mail",
      input: { to: "somebody" },
      edit_approval_id: body.approval_id,
      state: "finished",
    });
  });

  it("leaves the task's own input as it is, and says against the agent that it had to be edited", async () => {
    const task = await waiting();
    await edit(task, { to: "bob" });
    expect((await app.call("GET", `/v1/tasks/${task}`)).body.input).toEqual({ lead_id: "ld_1001" });
    const { rows } = await app.pool.query("select source, outcome from trust_judgements where id = $1", [task]);
    expect(rows).toEqual([{ source: "approval", outcome: 0 }]);
  });

  it("is held to the tool's arguments", async () => {
    const task = await waiting();
    const { status, body } = await edit(task, { to: "x".repeat(21), cc: "eve" });
    expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()]).toEqual([
      422,
      ["/edits/cc", "/edits/to"],
    ]);
    expect(await read(task)).toMatchObject({ status: "pending", round: 1 });
  });

  it("is judged by policies as that call of the tool, when it is edited and when it is made", async () => {
    const policy = { scope: { actions: ["tool.call"] }, when: 'has(input.to) && input.to == "eve"', effect: "deny" };
    const [task, later] = [await waiting(), await waiting()];
    await edit(later, { to: "eve" });
    await underPolicy(app, process, policy, async () => {
      expect(await edit(task, { to: "eve" })).toMatchObject({ status: 403, body: { code: "policy_blocked" } });
      expect(await read(task)).toMatchObject({ status: "pending", round: 1 });
      await process.handed()(later);
      expect(await taskRow(app, later)).toMatchObject({ status: "blocked" });
    });
    expect(received).toEqual([]);
  });

  it("waits for more people where a policy asks for them of what is wanted instead", async () => {
    const demanding = {
      scope: { actions: ["tool.call"] },
      when: 'has(input.to) && input.to == "everybody"',
      effect: "require_approval",
    };
    const task = await waiting();
    await underPolicy(app, process, { ...demanding, params: { approvers: 2 } }, async () => {
      expect((await edit(task, { to: "everybody" })).body).toMatchObject({
        status: "pending",
        approvers: 2,
        approvals: 1,
      });
      const { secret } = await app.member("approver");
      const { digest } = await read(task);
      await app.call("POST", `/v1/approvals/${task}/approve`, { key: secret, body: { digest } });
      await process.handed()(task);
    });
    expect(received.map((one) => one.body)).toEqual([{ to: "everybody" }]);
  });

  it("is made with the same arguments and key again where its worker is lost after it was made, and the agent is told the same", async () => {
    const task = await waiting();
    await edit(task, { to: "bob" });
    const made = Promise.withResolvers<void>();
    void process.handed({
      endStep: (lease, id, end) => {
        if (received.length === 0) return process.port.endStep(lease, id, end);
        made.resolve();
        return new Promise(() => undefined);
      },
      giveBack: async () => false,
    })(task);
    await made.promise;
    await lapse(app, task);
    await process.sweeper.sweep();
    await eventually(async () => expect((await taskRow(app, task)).status).toBe("queued"));
    await process.handed()(task);
    expect(received.map((one) => one.body)).toEqual([{ to: "bob" }, { to: "bob" }]);
    expect(new Set(received.map(({ key }) => key)).size).toBe(1);
    expect(await taskRow(app, task)).toMatchObject({
      status: "completed",
      output: { told: { arguments_changed_by_people_to: { to: "bob" } } },
    });
  });

  it("is told in the same words to a worker that goes on after it", async () => {
    const task = await waiting();
    await edit(task, { to: "bob" });
    let turns = 0;
    const lost = Promise.withResolvers<void>();
    void process.handed({
      beginModel: (lease, step, wanted) => {
        if (step.number < 3) return process.port.beginModel(lease, step, wanted);
        turns++;
        lost.resolve();
        return new Promise(() => undefined);
      },
      giveBack: async () => false,
    })(task);
    await lost.promise;
    await lapse(app, task);
    await process.sweeper.sweep();
    await process.handed()(task);
    expect([turns, received.length]).toEqual([1, 1]);
    expect(await taskRow(app, task)).toMatchObject({
      status: "completed",
      output: { told: { arguments_changed_by_people_to: { to: "bob" } } },
    });
  });

  it("does not let pass a call that the agent makes with the edited call's old arguments afterwards: that is another one", async () => {
    const again = scriptedModel((_turn, given) => {
      const done = given.prompt.filter(({ role }) => role === "tool").length;
      return done < 2 ? { calls: [{ tool: "send_mail", input: { to: "somebody" } }] } : { text: "{}" };
    });
    process.say(again);
    const task = await waiting();
    await edit(task, { to: "bob" });
    await process.handed()(task);
    expect(await read(task)).toMatchObject({
      status: "pending",
      round: 1,
      edited_by: null,
      action: { arguments: { to: "somebody" } },
    });
    expect(received.map((one) => one.body)).toEqual([{ to: "bob" }]);
    process.say(model);
  });
});
