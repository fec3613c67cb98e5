import { beforeAll, beforeEach, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { changeFacts, underPolicy } from "../../../tasks/runs/testing.ts";
import { answering, messagesOf, replied, send, startConversation, turnsOf } from "../turns.fixture.ts";

const app = useApp();
const machines = useWorkerProcess(app);
const budget = "/v1/governance/budgets/agent:sales";
const read = async (id: string) => (await app.call("GET", `/v1/chat/conversations/${id}`)).body;
const allow = (handoff: object) =>
  changeFacts(
    app,
    machines,
    "agents",
    `update agent_versions set definition = definition || jsonb_build_object('model', '{"provider":"openai","name":"sample-model"}'::jsonb, 'handoff', $1::jsonb)
     where agent = 'sales'`,
    [JSON.stringify(handoff)],
  );

beforeAll(async () => {
  await app.call("PUT", "/v1/admin/teams/support", { body: { title: "Support" } });
  await app.call("PUT", budget, { body: { limits: [{ unit: "tasks", period: "total", hard: 1 }] } });
  await allow({});
  const worker = await machines.worker({ model: answering() });
  const id = await startConversation(app);
  await send(app, id, "This one is paid for.");
  await replied(app, id);
  return () => worker.stop(0);
});
beforeEach(() => allow({ rules: [{ when: "limits", team: "support" }] }));

it("hands a message that no budget pays for to the team of the agent's file, without a task, and answers the user", async () => {
  const id = await startConversation(app, { language: "de" });
  const { status, body } = await send(app, id, "Ist jemand da?");
  expect([status, body.state, body.task_id]).toEqual([202, "queued", null]);
  const reply = await replied(app, id);
  expect(reply).toMatchObject({ task_id: null, parts: [{ type: "text", text: expect.stringContaining("Support") }] });
  expect(await read(id)).toMatchObject({ handoff: { team: "support", cause: "limits" }, state: "open" });
  expect(await turnsOf(app, id)).toMatchObject([{ state: "completed", reply_id: reply.message_id, task_id: null }]);
  const { body: later } = await send(app, id, "Hallo?");
  expect(later.state).toBe("with_person");
  const sql = "select body from audit_records where body like '%chat.handOverTurn%'";
  const { rows } = await app.pool.query(sql);
  expect(rows).toHaveLength(1);
  expect(rows[0].body).toContain("no budget was left");
});

it("is refused as before where the file has no rule for limits", async () => {
  await allow({ rules: [{ when: "asked", team: "support" }] });
  const id = await startConversation(app);
  const { status, body } = await send(app, id, "Anybody?");
  expect([status, body.code]).toEqual([403, "budget_exhausted"]);
  expect(await messagesOf(app, id)).toEqual([]);
});

it("blocks the message where a policy denies the hand-over", async () => {
  const denying = { name: "No people", scope: { actions: ["chat.handoff"] }, effect: "deny" };
  await underPolicy(app, machines, denying, async () => {
    const id = await startConversation(app);
    await send(app, id, "Anybody?");
    await expect.poll(async () => (await turnsOf(app, id))[0]?.state, { timeout: 10_000 }).toBe("blocked");
    expect((await read(id)).handoff).toBeNull();
  });
});
