import { expect, it } from "vitest";
import { useSharedApp } from "../testing/shared-app.ts";
import { restoreContext } from "./replay-context.ts";

const app = useSharedApp();

/** Everything that a replay reads of a call, by the reference of its record. */
async function replayed(auditRef: string) {
  const { rows } = await app.pool.query(
    `select r.body, r.context, t.input, t.trust::text as trust, t.risk::text as risk from audit_records r
     left join tasks t on t.organization = r.organization and t.environment = r.environment
       and t.id = substring(r.context from '^\\{"action":"[a-z_.]+","input_of":"(tsk_[0-9a-z]{26})"')
     where r.id = $1`,
    [auditRef],
  );
  const { body, context, input, trust, risk } = rows[0];
  return {
    context,
    restored:
      context === null
        ? null
        : restoreContext(context, JSON.parse(body), input === null ? null : { input, trust, risk }),
  };
}

const violations = async (auditRef: string) =>
  (
    await app.pool.query("select source, kind, reason_code, agent, task_id, status from violations where id = $1", [
      auditRef,
    ])
  ).rows;

it("what policies saw of a dispatch is put together again out of its record and its task", async () => {
  const { task_id, audit_ref, trust_score } = await app.dispatch({ lead_id: "ld_1007" });
  const { context, restored } = await replayed(audit_ref);
  expect(context).toContain(`"input_of":"${task_id}"`);
  expect(context).not.toContain("ld_1007");
  const { rows } = await app.pool.query("select principal, key_id, risk_level, created_at from tasks where id = $1", [
    task_id,
  ]);
  expect(restored).toMatchObject({
    ...{
      action: "task.dispatch",
      environment: "development",
      input: { lead_id: "ld_1007" },
      skill: { name: "qualify_lead" },
    },
    ...{
      principal: { id: rows[0].principal, kind: "member", role: "admin" },
      key: { id: rows[0].key_id, address: "127.0.0.1" },
    },
    agent: { name: "sales" },
    risk: { level: rows[0].risk_level },
    trust: { score: trust_score },
  });
});

it("a dispatch that a policy denies keeps its input beside its record, and is a violation", async () => {
  const policy = await app.policy({ when: 'has(input.lead_id) && input.lead_id == "ld_1013"', effect: "deny" });
  const { status, body } = await app.call("POST", "/v1/agents/sales/tasks", {
    body: { task: "qualify_lead", lead_id: "ld_1013" },
  });
  expect(status).toBe(403);
  expect((await replayed(body.audit_ref)).restored).toMatchObject({
    action: "task.dispatch",
    input: { lead_id: "ld_1013" },
  });
  expect(await violations(body.audit_ref)).toMatchObject([
    { source: policy, kind: "blocked", agent: "sales", task_id: null, status: "open" },
  ]);
});

it("a dispatch that a shadow policy would deny is done, and is a violation of its task", async () => {
  const policy = await app.policy(
    { when: 'has(input.lead_id) && input.lead_id == "ld_1019"', effect: "deny" },
    "shadow",
  );
  const { task_id, audit_ref } = await app.dispatch({ lead_id: "ld_1019" });
  expect(await violations(audit_ref)).toMatchObject([{ source: policy, kind: "would_block", agent: "sales", task_id }]);
});

it("a call that was not governed has no context", async () => {
  const { headers } = await app.call("GET", "/v1/agents?no_such_parameter=1");
  expect((await replayed(headers.get("audit-ref") as string)).context).toBeNull();
});

it("the record of a call that its role does not allow names what was asked for", async () => {
  const refused = await app.call("POST", "/v1/agents/sales/tasks", {
    key: app.key("viewer"),
    body: { task: "qualify_lead", lead_id: "ld_1001" },
  });
  expect(refused.status).toBe(403);
  const { rows } = await app.pool.query("select body from audit_records where id = $1", [
    refused.headers.get("audit-ref"),
  ]);
  expect(JSON.parse(rows[0].body)).toMatchObject({
    operation: "agents.dispatchTask",
    object: "agent:sales",
    code: "insufficient_scope",
  });
});
