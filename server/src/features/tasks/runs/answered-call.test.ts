import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { scriptedModel, shownResults } from "../../../testing/models.ts";
import { eventually, leaseOn, taskRow } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { changeFacts, underPolicy } from "./testing.ts";

const app = useApp();
const process = useWorkerProcess(app);

const target = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"sent":true}');
  });
});

/** Asks whom to write to, and writes to them. */
const model = scriptedModel((_turn, given) => {
  const { ask, send_mail: sent } = shownResults(given);
  if (sent !== undefined) return { text: "{}" };
  if (ask === undefined) return { calls: [{ tool: "ask", input: { question: "To whom?" } }] };
  return { calls: [{ tool: "send_mail", input: { to: (ask as { data: { answer: string } }).data.answer } }] };
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
      properties: { to: { type: "string" } },
      additionalProperties: false,
    },
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
});
afterAll(() => void target.close());

const reaches = (task: string, status: string) =>
  eventually(async () => expect((await taskRow(app, task)).status).toBe(status));
const secondPerson = {
  scope: { actions: ["tool.call"] },
  effect: "require_approval",
  params: { approvers: 1, requester_allowed: false },
};

describe("a call that follows on an answer", () => {
  it("is not approved as another person by who gave the answer, nor by who issued the key with which it was given", async () => {
    const [issuer, other] = [await app.signedInMember("admin"), await app.signedInMember("approver")];
    const bob = await app.member("admin");
    await app.pool.query("update keys set issuers = array[$2] where id = $1", [bob.keyId, issuer.memberId]);
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
    await app.app.facts.refresh();
    await underPolicy(app, process, secondPerson, async () => {
      const worker = await process.worker({ model });
      const { task_id: task } = await app.dispatch({ require_approval: false }, { key: "operator" });
      await reaches(task, "input_required");
      expect(
        (await app.call("POST", `/v1/tasks/${task}/input`, { key: bob.secret, body: { answer: "bob" } })).status,
      ).toBe(202);
      await reaches(task, "awaiting_approval");
      const { digest, requester_allowed } = (await app.call("GET", `/v1/approvals/${task}`)).body;
      expect(requester_allowed).toBe(false);
      const approve = (key: string) => app.call("POST", `/v1/approvals/${task}/approve`, { key, body: { digest } });
      for (const key of [bob.secret, issuer.secret]) {
        const { status, body } = await approve(key);
        expect([status, body.code, body.detail]).toEqual([
          403,
          "four_eyes",
          expect.stringContaining("answered a question of its run"),
        ]);
      }
      expect((await approve(other.secret)).body.status).toBe("approved");
      await reaches(task, "completed");
      await worker.stop(20_000);
    });
  });

  it("makes who gave it no other person either for the task itself, where people are asked about that when it is tried again", async () => {
    const bob = await app.signedInMember("admin");
    const worker = await process.worker({ model });
    const { task_id: task } = await app.dispatch({ require_approval: false }, { key: "operator" });
    await reaches(task, "input_required");
    await worker.stop(20_000);
    for (const [word, body] of [
      ["input", { answer: "bob" }],
      ["cancel", {}],
      ["retry", { from: "failed_step" }],
    ] as const)
      expect((await app.call("POST", `/v1/tasks/${task}/${word}`, { key: bob.secret, body })).status, word).toBe(202);
    await underPolicy(app, process, { ...secondPerson, scope: { actions: ["task.run"] } }, async () => {
      expect(await process.port.start(leaseOn(app, task))).toEqual({ claimed: false, reason: "awaiting_approval" });
    });
    const { digest } = (await app.call("GET", `/v1/approvals/${task}`)).body;
    const approve = (key: string) => app.call("POST", `/v1/approvals/${task}/approve`, { key, body: { digest } });
    expect((await approve(bob.secret)).body.code).toBe("four_eyes");
  });
});
