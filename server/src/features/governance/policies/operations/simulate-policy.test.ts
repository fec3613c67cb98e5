import { createHash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import { describe, expect, it } from "vitest";
import { type Answered, useApp } from "../../../../testing/app.ts";

const app = useApp();
const path = "/v1/governance/policies";
const simulate = (body: Record<string, unknown>) => app.call("POST", `${path}/simulate`, { body });
const text = {
  name: "No account numbers",
  scope: { actions: ["task.dispatch"] },
  when: '"iban" in data.kinds',
  effect: "deny",
  reason_code: "account_number",
  message: "The input holds a bank account number; leave it out.",
};
const iban = "DE89370400440532013000";
const dispatch = (input: Record<string, unknown>) =>
  app.call("POST", "/v1/agents/sales/tasks", { body: { task: "qualify_lead", input } });

/** Dispatches one input for each number, many at a time, in order of their answers. */
async function dispatchAll(
  count: number,
  inputOf: (n: number) => Record<string, unknown>,
): Promise<Map<number, Answered>> {
  const answers = new Map<number, Answered>();
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) answers.set(n, await dispatch(inputOf(n)));
  };
  await Promise.all(Array.from({ length: 64 }, lane));
  return answers;
}

describe("a policy that would have denied 12 of 600 recorded calls", { timeout: 180_000 }, () => {
  const offends = (n: number): boolean => n % 50 === 17;
  const inputOf = (n: number) => ({ lead_id: offends(n) ? `ld_7 ${iban}` : `ld_${n % 20}` });
  let policy = "";

  it("says so before it is active, and that report stands in the record of its activation", async () => {
    const answers = await dispatchAll(600, inputOf);
    expect([...new Set([...answers.values()].map(({ status, body }) => `${status} ${body.detail ?? ""}`))]).toEqual([
      "202 ",
    ]);
    const offending = [...answers].filter(([n]) => offends(n)).map(([, { body }]) => body.audit_ref);
    const { status, body: report } = await simulate({ ...text, calls: 600 });
    expect(status).toBe(200);
    expect(report).toMatchObject({
      calls: 600,
      not_replayable: 0,
      matched: 12,
      failed: 0,
      would_be_denied: 12,
      no_longer_denied: 0,
    });
    expect(report.examples.map(({ audit_ref }: { audit_ref: string }) => audit_ref).sort()).toEqual(offending.sort());
    expect(report.examples[0]).toMatchObject({
      agent: "sales",
      before: "allow",
      after: "deny",
      task_id: expect.stringMatching(/^tsk_/),
    });
    expect(report.by_agent).toMatchObject([{ agent: "sales", calls: 600, would_be_denied: 12 }]);
    const { digest, duration_ms: _took, ...counted } = report;
    expect(createHash("sha256").update(canonicalJson(counted)).digest("hex")).toBe(digest);

    const activated = await app.call("POST", path, { body: { ...text, state: "active" } });
    policy = activated.body.policy_id;
    expect(activated.body.report).toMatchObject({ calls: 600, would_be_denied: 12 });
    const record = await app.call("GET", `/v1/audit/events/${activated.headers.get("audit-ref")}`);
    expect(JSON.stringify(record.body)).toContain(
      `replayed over 600 calls: 12 would be denied; report sha256:${activated.body.report.digest}`,
    );
  });

  it("denies exactly such calls from then on, and lists them", async () => {
    const answers = await dispatchAll(100, inputOf);
    const denied = [...answers].filter(([, { status }]) => status === 403);
    expect(denied.map(([n]) => n).sort()).toEqual([...answers.keys()].filter(offends).sort());
    expect(denied.every(([, { body }]) => body.code === "policy_blocked" && body.policies[0].policy === policy)).toBe(
      true,
    );
    const { data } = (await app.call("GET", `/v1/governance/violations?source=${policy}`)).body;
    expect(data.map(({ audit_ref }: { audit_ref: string }) => audit_ref).sort()).toEqual(
      denied.map(([, { body }]) => body.audit_ref).sort(),
    );
  });

  it("counts refused calls by what policies saw of them as well: a looser text denies none of them any longer", async () => {
    const looser = await simulate({ ...text, policy, when: '"payment_card" in data.kinds' });
    expect(looser.body).toMatchObject({ calls: 700, no_longer_denied: 14, would_be_denied: 0 });
    const stored = await simulate({ policy });
    // It decides already, so that nothing changes; those recorded before it did are judged by what is in force now.
    expect(stored.body).toMatchObject({ would_be_denied: 0, matched: 14 });
    expect((await simulate({ policy, version: 1 })).body).toMatchObject({ matched: 14 });
  });

  it("is replayed over as many as 10,000 calls", async () => {
    await app.pool.query(`insert into tasks select (jsonb_populate_record(t, jsonb_build_object('id', left(t.id, 20) || lpad(g::text, 10, '0'), 'idempotency_hash', null))).*
      from tasks t, generate_series(1, 15) g where t.environment = 'development'`);
    await app.pool.query(`insert into audit_records (organization, environment, id, n, body, context)
      select organization, environment, left(id, 20) || lpad(g::text, 10, '0'), 100000 + g, body,
        regexp_replace(context, '"input_of":"(tsk_.{16}).{10}"', '"input_of":"\\1' || lpad(g::text, 10, '0') || '"')
      from audit_records, generate_series(1, 15) g where environment = 'development' and context like '{"action":"task.dispatch"%'`);
    const { body } = await simulate({ ...text, calls: 10_000, policy });
    expect(body.calls).toBe(10_000);
    const { headers } = await app.call("GET", `${path}/${policy}`);
    await app.call("DELETE", `${path}/${policy}`, { body: {}, headers: { "if-match": headers.get("etag") as string } });
  });
});

describe("what is replayed", () => {
  it("is bounded by number and time", async () => {
    expect((await simulate({ ...text, calls: 7 })).body.calls).toBe(7);
    const since = new Date(Date.now() + 0).toISOString();
    const one = await dispatch({ lead_id: "ld_after" });
    const { body } = await simulate({ ...text, since });
    expect(body).toMatchObject({ calls: 1, would_be_denied: 0 });
    expect(Date.parse(body.from)).toBeGreaterThanOrEqual(Date.parse(since));
    expect(one.status).toBe(202);
    const far = new Date(Date.now() - 91 * 86_400_000).toISOString();
    expect((await simulate({ ...text, since: far })).body.errors).toMatchObject([
      { pointer: "/since", code: "too_early" },
    ]);
    expect((await simulate({ ...text, since: "2199-01-01T00:00:00Z" })).body.errors).toMatchObject([
      { pointer: "/since", code: "too_late" },
    ]);
  });

  it("is what policies saw then: a task whose input people changed is left out, as is one whose trust a policy reads and that is completed", async () => {
    const since = new Date().toISOString();
    const waiting = await app.dispatch({ input: { lead_id: "ld_first" }, lead_id: undefined });
    const { rows } = await app.pool.query("select approval_id from tasks where id = $1", [waiting.task_id]);
    const asksFor = (id: string) => ({ ...text, when: `has(input.lead_id) && input.lead_id == "${id}"`, since });
    expect((await simulate(asksFor("ld_first"))).body).toMatchObject({ calls: 1, matched: 1 });
    await app.pool.query("update approvals set status = 'superseded', arguments = $2 where id = $1", [
      rows[0].approval_id,
      '{"lead_id":"ld_first"}',
    ]);
    await app.pool.query(`update tasks set input = '{"lead_id":"ld_second"}' where id = $1`, [waiting.task_id]);
    expect((await simulate(asksFor("ld_second"))).body).toMatchObject({ calls: 0, matched: 0, not_replayable: 1 });
    expect((await simulate({ ...text, when: 'agent.name == "sales"', since })).body).toMatchObject({
      calls: 1,
      matched: 1,
      not_replayable: 0,
    });

    const later = new Date().toISOString();
    const done = await app.dispatch({ lead_id: "ld_done" });
    await app.pool.query("update tasks set status = 'completed', trust_score = 0.9 where id = $1", [done.task_id]);
    const trust = { ...text, when: "trust.low < 0.99", since: later };
    expect((await simulate(trust)).body).toMatchObject({ calls: 0, not_replayable: 1 });
    expect((await simulate({ ...asksFor("ld_done"), since: later })).body).toMatchObject({ calls: 1, matched: 1 });
  });

  it("leaves out dry runs and what was erased", async () => {
    const since = new Date().toISOString();
    await app.call("POST", "/v1/agents/sales/tasks?dry_run=true", {
      body: { task: "qualify_lead", lead_id: "ld_dry" },
    });
    expect((await simulate({ ...text, since })).body.calls).toBe(0);
    const { audit_ref, task_id } = await app.dispatch();
    await app.pool.query("delete from approvals where task_id = $1", [task_id]);
    await app.pool.query("delete from tasks where id = $1", [task_id]);
    expect((await simulate({ ...text, since })).body).toMatchObject({ calls: 0, not_replayable: 1 });
    await app.pool.query("update audit_records set context = null where id = $1", [audit_ref]);
    expect((await simulate({ ...text, since })).body).toMatchObject({ calls: 0, not_replayable: 0 });
  });

  it("is of the agents that a key is narrowed to", async () => {
    const { secret, keyId } = await app.member("admin");
    await app.pool.query("update keys set agents = '{support}' where id = $1", [keyId]);
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
    await app.app.facts.refresh();
    const asked = (scope: object) => app.call("POST", `${path}/simulate`, { key: secret, body: { ...text, scope } });
    expect((await asked({ agents: ["support"] })).body).toMatchObject({ calls: 0 });
    expect(await asked({})).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
  });

  it("changes nothing, and names what is wrong with a text or a policy", async () => {
    const before = await app.pool.query("select count(*)::int as n from policies");
    await simulate(text);
    expect((await app.pool.query("select count(*)::int as n from policies")).rows).toEqual(before.rows);
    const faults = async (body: Record<string, unknown>) =>
      (await simulate(body)).body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`);
    expect(await faults({})).toEqual([" required"]);
    expect(await faults({ when: "1 == 1" })).toEqual([
      "/name required",
      "/effect required",
      "/reason_code required",
      "/message required",
    ]);
    expect(await faults({ ...text, when: "input.x > 1.0" })).toEqual(["/when unguarded_field"]);
    expect(await faults({ ...text, version: 1 })).toEqual(["/version not_allowed"]);
    expect(await faults({ policy: "pol_01jd8x0000000000000000000a" })).toEqual(["/policy unknown_policy"]);
    const { body } = await app.call("POST", path, { body: text });
    expect(await faults({ policy: body.policy_id, version: 9 })).toEqual(["/version unknown_policy"]);
  });
});
