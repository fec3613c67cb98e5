import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { type ScriptedTurn, scriptedModel, shownResults } from "../../../testing/models.ts";
import { approvalOf, approve, eventsOf, eventually, lapse, leaseOn, taskRow } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { changeFacts, underPolicy } from "./testing.ts";

const app = useApp();
const process = useWorkerProcess(app);

/** What came in at the service that the tool writes to. */
const received: { key: string | undefined; body: unknown }[] = [];
let answer = (_request: IncomingMessage): number => 200;
const target = createServer((request, response) => {
  let text = "";
  request.on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => {
    received.push({ key: request.headers["idempotency-key"] as string | undefined, body: JSON.parse(text) });
    const status = answer(request);
    if (status === 0) return void request.socket.destroy();
    response.writeHead(status, { "content-type": "application/json" });
    response.end('{"sent":true}');
  });
});

/** Gives the sample's agent a provider's model by name and a tool that writes, which its first skill may call. */
const withWriter = (more: object = {}) => {
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
    ...more,
  };
  return changeFacts(
    app,
    process,
    "agents",
    `update agent_versions set definition = definition || jsonb_build_object('model', '{"provider":"openai","name":"sample-model"}'::jsonb,
       'tools', jsonb_build_array(definition -> 'tools' -> 0, $1::jsonb), 'skills', jsonb_build_array((definition -> 'skills' -> 0)
       || '{"tools":["get_lead","send_mail"],"output":{"type":"object"}}')) where agent = 'sales'`,
    [JSON.stringify(tool)],
  );
};

/** Writes to this address, then answers with what came of it. */
const writes =
  (to: string) =>
  (_turn: number, given: Parameters<typeof shownResults>[0]): ScriptedTurn => {
    const { send_mail: sent } = shownResults(given);
    return sent === undefined ? { calls: [{ tool: "send_mail", input: { to } }] } : { text: JSON.stringify({ sent }) };
  };
const model = (to = "somebody") => scriptedModel(writes(to));

const queued = async () => (await app.dispatch({ require_approval: false })).task_id;
const reaches = (task: string, status: string) =>
  eventually(async () => expect((await taskRow(app, task)).status).toBe(status));
const stepsOf = async (task: string) =>
  (await app.pool.query("select name, state from steps where task_id = $1 order by number, id", [task])).rows.map(
    ({ name, state }) => `${name} ${state}`,
  );

/** A worker that is lost once a call was made, before it is written down how that ended. */
async function losingWorker() {
  const done = Promise.withResolvers<void>();
  let lostOne = false;
  const lost = await process.worker({
    model: model(),
    port: {
      endStep: (lease, id, end) => {
        if (lostOne || received.length === 0) return process.port.endStep(lease, id, end);
        lostOne = true;
        done.resolve();
        return new Promise(() => undefined);
      },
    },
  });
  return { lost, done: done.promise };
}

beforeAll(() => new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve)));
afterAll(() => void target.close());
beforeEach(() => withWriter());
afterEach(async () => {
  received.length = 0;
  answer = () => 200;
  await app.pool.query("delete from graphile_worker._private_jobs");
});

describe("a call that writes", () => {
  it("is also a POST that says it reads, until an admin marks its request as a read, which is recorded", async () => {
    await withWriter({ effect: "read" });
    const request = `POST http://127.0.0.1:${(target.address() as AddressInfo).port}/mail`;
    const worker = await process.worker({ model: model() });
    const task = await queued();
    await reaches(task, "awaiting_approval");
    expect(received).toEqual([]);
    const proposed = {
      action: "tool.call",
      agent: "sales",
      skill: "qualify_lead",
      tool: "send_mail",
      input: { to: "somebody" },
    };
    const effect = async () =>
      (await app.call("POST", "/v1/governance/check", { body: proposed })).body.context.tool.effect;
    expect(await effect()).toBe("write");
    const mark = (reads: string[] | null, key = "admin") =>
      app.call("PATCH", "/v1/admin/settings", {
        body: { settings: { tools: { reads } } },
        key,
        headers: { "if-match": "*" },
      });
    expect((await mark([request], "builder")).status).toBe(403);
    expect((await mark([request.replace("POST", "PUT")])).body.errors[0].pointer).toBe("/settings/tools/reads/0");
    const marked = await mark([request]);
    expect([marked.status, marked.body.settings.tools.reads]).toEqual([200, [request]]);
    const { text: record } = await app.call("GET", `/v1/audit/events/${marked.headers.get("audit-ref")}`);
    expect(record).toContain(`marked as a read: ${request}`);
    await process.refresh();
    expect(await effect()).toBe("read");
    const free = await queued();
    await reaches(free, "completed");
    expect(received).toEqual([{ key: undefined, body: { to: "somebody" } }]);
    await mark(null);
    await process.refresh();
    expect(await effect()).toBe("write");
    await worker.stop(20_000);
  });

  it("waits for people in mid-run, without a worker, and runs exactly once after they approved exactly it", async () => {
    const worker = await process.worker({ model: model() });
    const task = await queued();
    await reaches(task, "awaiting_approval");
    expect(await taskRow(app, task)).toMatchObject({ lease_owner: null, lease_until: null });
    expect(received).toEqual([]);
    const { body } = await app.call("GET", `/v1/approvals/${task}`);
    expect(body).toMatchObject({
      tool: "send_mail",
      status: "pending",
      digest_matches: true,
      action: { tool: "send_mail", arguments: { to: "somebody" } },
      reasons: [expect.stringContaining("could have steered it")],
    });
    await approve(app, task);
    await reaches(task, "completed");
    expect(received).toEqual([{ key: undefined, body: { to: "somebody" } }]);
    expect(await approvalOf(app, task)).toBe("consumed");
    expect((await taskRow(app, task)).output).toMatchObject({
      sent: { from: "send_mail", data: { status: 200, body: { sent: true } } },
    });
    expect(await stepsOf(task)).toEqual(["sample-model finished", "send_mail finished", "sample-model finished"]);
    expect(await eventsOf(app, task)).toEqual(
      ["created", "started", "approval_required", "approved", "started", "completed"].map((name) => `task.${name}`),
    );
    await worker.stop(20_000);
  });

  it("does not run with other arguments than people approved: these are asked about again", async () => {
    const worker = await process.worker({ model: model() });
    const task = await queued();
    await reaches(task, "awaiting_approval");
    await worker.stop(20_000);
    // The turn is lost with which the call was proposed, and the model says something else the next time.
    await app.pool.query("delete from steps where task_id = $1", [task]);
    await approve(app, task);
    const next = await process.worker({ model: model("somebody else") });
    await eventually(async () =>
      expect((await app.call("GET", `/v1/approvals/${task}`)).body).toMatchObject({ round: 2, status: "pending" }),
    );
    expect(received).toEqual([]);
    await next.stop(20_000);
  });

  it("does not run on the vote of somebody who has lost the role since: people are asked again", async () => {
    const worker = await process.worker({ model: model() });
    const task = await queued();
    await reaches(task, "awaiting_approval");
    await worker.stop(20_000);
    const { secret, memberId } = await app.member("approver");
    const { digest } = (await app.call("GET", `/v1/approvals/${task}`)).body;
    expect(
      (await app.call("POST", `/v1/approvals/${task}/approve`, { key: secret, body: { digest } })).body.status,
    ).toBe("approved");
    await app.call("PUT", `/v1/admin/members/${memberId}`, { body: { role: null } });
    const next = await process.worker({ model: model() });
    await eventually(async () =>
      expect((await app.call("GET", `/v1/approvals/${task}`)).body).toMatchObject({
        round: 2,
        status: "pending",
        tool: "send_mail",
      }),
    );
    expect(received).toEqual([]);
    await approve(app, task);
    await reaches(task, "completed");
    expect(received).toHaveLength(1);
    await next.stop(20_000);
  });

  it("ends with its task where people reject it", async () => {
    const worker = await process.worker({ model: model() });
    const task = await queued();
    await reaches(task, "awaiting_approval");
    const { body } = await app.call("GET", `/v1/approvals/${task}`);
    await app.call("POST", `/v1/approvals/${task}/reject`, { body: { reason: "Not them.", digest: body.digest } });
    expect(await taskRow(app, task)).toMatchObject({
      status: "rejected",
      failure: { code: "rejected", detail: "Not them." },
    });
    expect(received).toEqual([]);
    await worker.stop(20_000);
  });

  it("is sent back to the agent, which proposes again with what people want otherwise", async () => {
    const changing = scriptedModel((_turn, given) => {
      const back = JSON.stringify(shownResults(given).send_mail ?? "");
      if (back === '""') return { calls: [{ tool: "send_mail", input: { to: "somebody" } }] };
      return back.includes("changes_requested")
        ? { calls: [{ tool: "send_mail", input: { to: back.includes("Write to bob") ? "bob" : "nobody" } }] }
        : { text: "{}" };
    });
    const worker = await process.worker({ model: changing });
    const task = await queued();
    await reaches(task, "awaiting_approval");
    const { body } = await app.call("GET", `/v1/approvals/${task}`);
    await app.call("POST", `/v1/approvals/${task}/request-changes`, {
      body: { note: "Write to bob.", digest: body.digest },
    });
    await eventually(async () =>
      expect((await app.call("GET", `/v1/approvals/${task}`)).body).toMatchObject({
        round: 2,
        action: { arguments: { to: "bob" } },
      }),
    );
    await approve(app, task);
    await reaches(task, "completed");
    expect(received.map(({ body: sent }) => sent)).toEqual([{ to: "bob" }]);
    await worker.stop(20_000);
  });

  it("is charged once, to its step and to its task", async () => {
    await withWriter({ cost_usd: 0.05 });
    const worker = await process.worker({ model: model() });
    const task = await queued();
    await reaches(task, "awaiting_approval");
    await approve(app, task);
    await reaches(task, "completed");
    await worker.stop(20_000);
    const { rows } = await app.pool.query(
      "select t.cost_usd as task, s.cost_usd as step from tasks t join steps s on s.task_id = t.id where t.id = $1 and s.name = 'send_mail'",
      [task],
    );
    expect(rows).toEqual([{ task: 0.05, step: 0.05 }]);
  });

  it("is sent again with the same key where its outcome is not known and its receiver knows it by that, and nobody is asked", async () => {
    await withWriter({ idempotency: { header: "Idempotency-Key" } });
    answer = () => (received.length === 1 ? 502 : 200);
    const worker = await process.worker({ model: model() });
    const task = await queued();
    await reaches(task, "awaiting_approval");
    await approve(app, task);
    await reaches(task, "completed");
    await worker.stop(20_000);
    expect(received).toHaveLength(2);
    expect(received[0]?.key).toBe(received[1]?.key);
    expect(await stepsOf(task)).toEqual(["sample-model finished", "send_mail finished", "sample-model finished"]);
  });

  it("needs nobody where a policy accepts what was read, and its risk asks for none", async () => {
    const policy = { scope: { actions: ["tool.call"] }, effect: "tag", params: { tags: ["taint:accepted"] } };
    await underPolicy(app, process, policy, async () => {
      const worker = await process.worker({ model: model() });
      const task = await queued();
      await reaches(task, "completed");
      expect(received).toHaveLength(1);
      await worker.stop(20_000);
    });
  });

  it("runs once where its worker is lost after it was made, and people are asked whether it took effect", async () => {
    const { lost, done } = await losingWorker();
    const task = await queued();
    await reaches(task, "awaiting_approval");
    await approve(app, task);
    await done;
    await lapse(app, task);
    await process.sweeper.sweep();
    const worker = await process.worker({ model: model() });
    await reaches(task, "input_required");
    expect(received).toHaveLength(1);
    const answered = await app.call("POST", `/v1/tasks/${task}/input`, { body: { answer: "it_took_effect" } });
    expect(answered.status).toBe(202);
    await reaches(task, "completed");
    expect(received).toHaveLength(1);
    expect(await stepsOf(task)).toEqual(["sample-model finished", "send_mail finished", "sample-model finished"]);
    await lost.stop(0);
    await worker.stop(20_000);
  });

  it("is made again after its worker was lost where its receiver knows a repeated call, with the same key and under the same approval", async () => {
    await withWriter({ idempotency: { header: "Idempotency-Key" } });
    const { lost, done } = await losingWorker();
    const task = await queued();
    await reaches(task, "awaiting_approval");
    await approve(app, task);
    await done;
    await lapse(app, task);
    await process.sweeper.sweep();
    const worker = await process.worker({ model: model() });
    await reaches(task, "completed");
    expect(received).toHaveLength(2);
    expect(received[0]?.key).toBe(received[1]?.key);
    expect(received[0]?.key).toBeTruthy();
    await lost.stop(0);
    await worker.stop(20_000);
  });

  it("is asked about where the answer never came", async () => {
    answer = () => 0;
    const worker = await process.worker({ model: model() });
    const task = await queued();
    await reaches(task, "awaiting_approval");
    await approve(app, task);
    await reaches(task, "input_required");
    expect(received).toHaveLength(1);
    const { text } = (await app.call("GET", `/v1/tasks/${task}`)).body.question;
    expect(text).toMatch(/^Did send_mail take effect\? .*was lost before an answer\. Look at its target/);
    answer = () => 200;
    await app.call("POST", `/v1/tasks/${task}/input`, { body: { answer: "it_did_not" } });
    await reaches(task, "awaiting_approval"); // the approval was used up: the second call is another one
    await approve(app, task);
    await reaches(task, "completed");
    expect(received).toHaveLength(2);
    await worker.stop(20_000);
  });

  it("is put under approval by its risk in staging and production", async () => {
    await withWriter({ impact: { reversible: false, external: true } });
    await app.deploy("staging");
    await process.refresh();
    const scope = { ...app.scope, environment: "staging" } as const;
    const { task_id: task } = await app.dispatch({}, { environment: "staging" });
    for (let person = 1; person <= 2; person++) await approve(app, task, "staging"); // critical
    const lease = { ...leaseOn(app, task, "staging"), scope };
    expect(await process.port.start(lease)).toMatchObject({ claimed: true });
    const call = { number: 1, tool: "send_mail", arguments: { to: "somebody" }, tainted: false };
    expect(await process.port.callTool(lease, call)).toMatchObject({ kind: "waits" });
    const { body } = await app.call("GET", `/v1/approvals/${task}`, { environment: "staging" });
    expect(body).toMatchObject({ risk: "critical", tool: "send_mail", approvers: 2, requester_allowed: false });
  });
});
