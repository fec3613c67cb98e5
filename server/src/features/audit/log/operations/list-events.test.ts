import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import type { AuditEvent, AuditRecord } from "../../schemas.ts";
import { untilSequenced, whileEdited } from "../../testing.ts";

describe("searching the audit log", () => {
  const app = useApp();
  let allowed: AuditRecord;
  let byPermissions: AuditRecord;
  let byCompliance: AuditRecord;
  let operator: { secret: string; memberId: string; keyId: string };

  const search = async (query: string, options = {}): Promise<AuditEvent[]> => {
    const { status, body } = await app.call("GET", `/v1/audit/events?limit=100&${query}`, options);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data;
  };
  const refs = async (query: string, options = {}): Promise<string[]> =>
    (await search(query, options)).map((one) => one.audit_ref);
  const recordOf = async (auditRef: string): Promise<AuditRecord> => {
    await untilSequenced(app, auditRef);
    return (await app.call("GET", `/v1/audit/events/${auditRef}`)).body;
  };

  beforeAll(async () => {
    operator = await app.member("operator");
    allowed = await recordOf((await app.dispatch({}, { key: operator.secret })).audit_ref);
    const body = { task: "qualify_lead", lead_id: "ld_1002" };
    const forbidden = await app.call("POST", "/v1/agents/sales/tasks", { key: "viewer", body });
    expect(forbidden.status).toBe(403);
    byPermissions = await recordOf(forbidden.headers.get("audit-ref") ?? "");
    await app.policy({ scope: { actions: ["task.dispatch"] }, when: 'input.lead_id == "ld_1003"', effect: "deny" });
    const blocked = await app.call("POST", "/v1/agents/sales/tasks", { body: { ...body, lead_id: "ld_1003" } });
    expect(blocked.body.code).toBe("policy_blocked");
    byCompliance = await recordOf(blocked.headers.get("audit-ref") ?? "");
  });

  it("finds a record by each field of it", async () => {
    const filters: [string, (event: AuditEvent) => boolean][] = [
      [`actor=${operator.memberId}`, (event) => event.actor === operator.memberId],
      ["action=agents.dispatchTask", (event) => event.action === "agents.dispatchTask"],
      [`object=task:${allowed.task_id}`, (event) => event.object === `task:${allowed.task_id}`],
      [`task=${allowed.task_id}`, (event) => event.task_id === allowed.task_id],
      [`key=${operator.keyId}`, (event) => event.key_id === operator.keyId],
      [`key=${operator.keyId}&key_seq=1`, (event) => event.key_id === operator.keyId && event.leaf.key_seq === 1],
      ["decision=allowed", (event) => event.decision === "allowed"],
    ];
    for (const [filter, fits] of filters) {
      const found = await search(filter);
      expect(
        found.map((event) => event.audit_ref),
        filter,
      ).toContain(allowed.audit_ref);
      expect(found.every(fits), filter).toBe(true);
      const all = await search("");
      expect(found.length, filter).toBeLessThan(all.length);
    }
  });

  it("finds nothing by an empty action or object", async () => {
    expect(await refs("action=")).toEqual([]);
    expect(await refs("object=")).toEqual([]);
  });

  it("finds refused calls by decision and by the stage that refused", async () => {
    expect(byPermissions).toMatchObject({
      decision: "refused",
      stage: "permissions",
      status: 403,
      code: "insufficient_scope",
    });
    expect(byCompliance).toMatchObject({
      decision: "refused",
      stage: "compliance",
      status: 403,
      code: "policy_blocked",
    });
    expect(await refs("decision=refused&stage=permissions")).toEqual([byPermissions.audit_ref]);
    expect(await refs("decision=refused,failed&stage=compliance")).toEqual([byCompliance.audit_ref]);
    expect(await refs("stage=permissions,compliance")).toEqual([byCompliance.audit_ref, byPermissions.audit_ref]);
    expect(await refs("decision=failed")).toEqual([]);
  });

  it("finds by the time at which the call began, from inclusive to exclusive", async () => {
    const at = allowed.time;
    const later = new Date(Date.parse(at) + 1).toISOString();
    expect(await refs(`created_after=${at}&created_before=${later}`)).toEqual([allowed.audit_ref]);
    expect(await refs(`created_after=${later}`)).not.toContain(allowed.audit_ref);
    expect(await refs(`created_before=${at}`)).not.toContain(allowed.audit_ref);
    expect(await refs(`created_after=1890-01-01T00:00:00Z&task=${allowed.task_id}`)).toContain(allowed.audit_ref);
    expect(await refs(`created_after=2016-12-31T23:59:60Z&task=${allowed.task_id}`)).toContain(allowed.audit_ref);
    expect(await refs("created_before=1969-12-31T23:59:59Z")).toEqual([]);
  });

  it("shows of each record what the record itself shows, and its place in the log", async () => {
    const { leaf_data: _data, log_key: _key, openings: _openings, ...members } = allowed;
    expect(await search(`key=${operator.keyId}`)).toEqual([members]);
    expect(members.leaf?.key_seq).toBe(1);
  });

  it("pages newest first, without loss or doubling while the log grows", async () => {
    const before = new Date(Date.parse(byCompliance.time) + 1).toISOString();
    const adminKey = byCompliance.key_id;
    for (const [filter, whole] of [
      ["", await refs(`created_before=${before}`)],
      [`&key=${adminKey}`, await refs(`created_before=${before}&key=${adminKey}`)],
    ] as const) {
      const seen: AuditEvent[] = [];
      for (let cursor = ""; ; ) {
        const { body } = await app.call("GET", `/v1/audit/events?limit=3${filter}${cursor}`); // each page is one more record
        seen.push(...body.data);
        if (body.next_cursor === null) break;
        cursor = `&cursor=${body.next_cursor}`;
      }
      const indexes = seen.map((event) => event.leaf.index);
      expect(indexes, filter).toEqual([...new Set(indexes)].sort((a, b) => b - a));
      expect(seen.map((event) => event.audit_ref).slice(-whole.length), filter).toEqual(whole);
      expect(seen.length, filter).toBeGreaterThan(3);
    }
  });

  it("shows what the record says where the search index says something else, and what differs", async () => {
    const where = `record_id = '${allowed.audit_ref}'`;
    await whileEdited(
      app,
      { audit_leaves: where },
      `update audit_leaves set decision = 'refused' where ${where}`,
      async () => {
        const [found] = await search(`decision=refused&task=${allowed.task_id}`);
        expect(found).toMatchObject({ audit_ref: allowed.audit_ref, decision: "allowed" });
        expect(found?.integrity).toContain(
          'its decision is "refused" in the search index, and "allowed" in the record itself',
        );
      },
    );
    const edited = `update audit_records set body = replace(body, '"status":202', '"status":403') where id = '${allowed.audit_ref}'`;
    await whileEdited(app, { audit_records: `id = '${allowed.audit_ref}'` }, edited, async () => {
      expect((await search(`task=${allowed.task_id}`)).map(({ integrity }) => integrity)).toEqual([
        expect.stringContaining("is not what was logged"),
      ]);
    });
    expect((await search("")).map(({ integrity }) => integrity).filter(Boolean)).toEqual([]);
  });

  it("shows no record of another environment", async () => {
    expect(await refs(`key=${operator.keyId}`, { environment: "staging" })).toEqual([]);
    const foreign = await search("", { environment: "staging" });
    expect(foreign.map((event) => event.audit_ref)).not.toContain(allowed.audit_ref);
  });

  it("shows such a key no budget, deployment or version of other agents either", async () => {
    const narrow = await app.member("auditor");
    await app.pool.query("update keys set agents = '{support}' where id = $1", [narrow.keyId]);
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
    await app.app.facts.refresh();
    const limits = [{ unit: "tasks", period: "day", warn: 1_000_000 }];
    const budget = await app.call("PUT", "/v1/governance/budgets/agent:sales", { body: { limits } });
    const skills = [{ name: "answer", input: { type: "object" }, instructions: "i" }];
    const definition = { description: "d", model: { provider: "builtin" }, instructions: "i", skills };
    await app.call("POST", "/v1/agents", { body: { agent: "other", ...definition } });
    const frozen = await app.call("POST", "/v1/agents/other/versions", { body: { note: "one" } });
    const deployed = await app.call("POST", "/v1/agents/other/deployments", { body: { version: 1 } });
    expect([budget.status, frozen.status, deployed.status]).toEqual([200, 201, 201]);
    for (const { headers } of [budget, frozen, deployed]) {
      const record = `/v1/audit/events/${headers.get("audit-ref")}`;
      expect((await app.call("GET", record)).status).toBe(200);
      expect((await app.call("GET", record, { key: narrow.secret })).status).toBe(403);
    }
    const { body } = await app.call("GET", "/v1/audit/events?limit=100", { key: narrow.secret });
    const seen = body.data.map(({ object }: { object: string | null }) => object);
    for (const kind of ["budget:", "version:", "deployment:"])
      expect(seen).not.toContainEqual(expect.stringMatching(`^${kind}`));
  });

  it("shows a key that is narrowed to agents nothing about other agents", async () => {
    const narrow = await app.member("auditor");
    await app.pool.query("update keys set agents = '{support}' where id = $1", [narrow.keyId]);
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
    await app.app.facts.refresh();
    await app.call("GET", "/v1/agents", { key: narrow.secret });
    const seen = await search("", { key: narrow.secret });
    expect(seen.every((event) => event.key_id === narrow.keyId)).toBe(true);
    expect(seen.filter((event) => event.task_id !== null || event.object?.startsWith("agent:"))).toEqual([]);
    const alone = await app.call("GET", `/v1/audit/events/${allowed.audit_ref}`, { key: narrow.secret });
    expect(alone.body).toMatchObject({ status: 403, missing_scope: "agent:sales" });
  });

  it("is for auditors and admins, and no policy can deny it", async () => {
    expect((await app.call("GET", "/v1/audit/events", { key: "operator" })).body).toMatchObject({
      status: 403,
      missing_scope: "audit:read",
    });
    await app.policy({ scope: { actions: ["audit.read"] }, when: "true", effect: "deny" }, "active", "staging");
    expect((await app.call("GET", "/v1/audit/events", { key: "auditor", environment: "staging" })).status).toBe(200);
  });

  it("refuses a decision, stage or time that there is not, naming the parameter", async () => {
    for (const query of ["decision=denied", "stage=gate", "created_after=yesterday", "key_seq=0"]) {
      const { status, body } = await app.call("GET", `/v1/audit/events?${query}`);
      expect(status, query).toBe(400);
      expect(body.errors).toMatchObject([{ parameter: query.split("=")[0] }]);
    }
  });
});
