import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { ask, demand, narrowedKey } from "../../testing.ts";

const app = useApp();
interface Item {
  readonly kind: string;
  readonly id: string;
  readonly may_act: boolean;
}
const inbox = async (query = "", key = "admin") => (await app.call("GET", `/v1/approvals/inbox${query}`, { key })).body;
const idsOf = ({ data }: { data: Item[] }): string[] => data.map(({ id }) => id);

const ids = { low: "", critical: "", late: "", soon: "", question: "", handoff: "", run: "wfr_dead", webhook: "" };
const approvalOf = async (task: string): Promise<string> =>
  (await app.call("GET", `/v1/approvals/${task}`)).body.approval_id;
const expires = (task: string, at: string) =>
  app.pool.query("update approvals set expires_at = $2, on_expiry = 'escalate' where task_id = $1", [task, at]);

beforeAll(async () => {
  const tasks = { low: await ask(app), critical: await ask(app), late: await ask(app), soon: await ask(app) };
  await demand(app, tasks.low, { risk_level: "low" });
  await demand(app, tasks.critical, { risk_level: "critical" });
  await expires(tasks.late, "2026-01-01T00:00:00Z");
  await expires(tasks.soon, "2199-01-01T00:00:00Z");
  for (const name of ["low", "critical", "late", "soon"] as const) ids[name] = await approvalOf(tasks[name]);
  ids.question = (await app.dispatch({ require_approval: false })).task_id;
  const asked = {
    step_id: "stp_1",
    kind: "answer",
    text: "Which plan?",
    options: null,
    asked_at: "2026-11-20T10:00:00.000Z",
  };
  await app.pool.query("update tasks set status = 'input_required', risk_level = 'high', question = $2 where id = $1", [
    ids.question,
    JSON.stringify(asked),
  ]);
  const { body } = await app.call("POST", "/v1/chat/conversations", { body: { agent: "sales", user: "customer-1" } });
  ids.handoff = body.conversation_id;
  await app.call("POST", `/v1/chat/conversations/${ids.handoff}/handoff`, {
    body: { to: "person", reason: "They ask for a discount." },
  });
  await app.pool.query(
    `insert into workflow_runs (organization, environment, id, workflow, version_number, version_id, status, input, failure, trigger, principal, audit_ref, created_at, updated_at, finished_at)
     values ('default', 'development', 'wfr_dead', 'refund', 1, 'wfv_0', 'failed', '{}', '{"code":"x","detail":"The till is closed."}', 'manual', 'test', 'aud_0', now(), now(), now())`,
  );
  await app.pool.query(
    "insert into workflow_dead_letters (organization, environment, run_id, workflow, reason, at) values ('default', 'development', 'wfr_dead', 'refund', 'failed', now())",
  );
  const made = await app.call("POST", "/v1/webhooks", {
    body: { url: "https://hooks.example.com/x", events: ["task.*"] },
  });
  ids.webhook = made.body.webhook_id;
  await app.pool.query("update webhooks set state = 'disabled', disabled_reason = 'gone' where id = $1", [ids.webhook]);
});

describe("the inbox", () => {
  it("ranks all that waits for people: due soonest, then by risk, then what waits longest", async () => {
    const found = await inbox();
    expect(idsOf(found)).toEqual([
      ids.late,
      ids.soon,
      ids.critical,
      ids.question,
      ids.low,
      ids.handoff,
      ids.run,
      ids.webhook,
    ]);
    expect(found.counts).toEqual({
      approval: 4,
      question: 1,
      handoff: 1,
      dead_letter: 2,
      mention: 0,
      total: 8,
      mine: 8,
    });
    expect(found.data[0]).toMatchObject({ kind: "approval", overdue: true, due_at: "2026-01-01T00:00:00.000Z" });
    expect(found.data[3]).toEqual({
      kind: "question",
      id: ids.question,
      title: "Qualify lead ld_1001",
      text: "Which plan?",
      agent: "sales",
      risk: "high",
      since: "2026-11-20T10:00:00.000Z",
      due_at: null,
      overdue: false,
      who_may_act: { permission: "tasks:write", member: null },
      may_act: true,
      standing_in_for: null,
      task_id: ids.question,
      run: null,
      url: `http://127.0.0.1:4000/tasks/${ids.question}`,
    });
    expect(found.data.slice(5)).toMatchObject([
      {
        kind: "handoff",
        title: "customer-1",
        text: "They ask for a discount.",
        who_may_act: { permission: "chat:answer" },
      },
      { kind: "dead_letter", title: "Run of refund", text: "The till is closed.", run: { workflow: "refund" } },
      { kind: "dead_letter", text: "It answered 410 Gone.", url: `http://127.0.0.1:4000/webhooks/${ids.webhook}` },
    ]);
  });

  it("pages without loss or repetition, in the order of the whole list", async () => {
    const whole = idsOf(await inbox());
    const seen: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await inbox(`?limit=3${cursor}`);
      seen.push(...idsOf(page));
      if (!page.has_more) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen).toEqual(whole);
  });

  it("narrows by kind and agent", async () => {
    expect(idsOf(await inbox("?kind=handoff,question"))).toEqual([ids.question, ids.handoff]);
    expect(idsOf(await inbox("?agent=support"))).toEqual([]);
  });

  it("says as mine what the caller may act on, by the rules of each kind", async () => {
    const { secret } = await app.member("approver");
    expect(idsOf(await inbox("?mine=true", secret))).toEqual([ids.soon, ids.critical, ids.low]);
    const { secret: operator } = await app.member("operator");
    expect(idsOf(await inbox("?mine=true", operator))).toEqual([ids.question, ids.handoff, ids.run]);
    expect((await inbox("", "viewer")).counts).toMatchObject({ total: 8, mine: 0 });
  });

  it("shows only what the key may read", async () => {
    const key = await narrowedKey(app, { scopes: ["approvals:read", "chat:read"] });
    expect((await inbox("", key)).counts).toEqual({
      approval: 4,
      question: 0,
      handoff: 1,
      dead_letter: 0,
      mention: 0,
      total: 5,
      mine: 0,
    });
    const support = await narrowedKey(app, { agents: ["support"] });
    expect((await inbox("", support)).counts.total).toBe(0);
  });

  it("leaves GET /v1/approvals as it is", async () => {
    const { body } = await app.call("GET", "/v1/approvals");
    expect(body.data).toHaveLength(4);
    expect(body.counts.total).toBe(4);
  });
});
