import { commitmentOf, formatVerifierKey } from "@aos/proof";
import { describe, expect, it } from "vitest";
import { type Answered, useApp } from "../../../testing/app.ts";
import { asDatabaseOwner } from "../../../testing/owner.ts";
import { bodyDigest, trustedKey, untilSequenced, whileEdited } from "../testing.ts";

describe("reading an audit record", () => {
  const app = useApp();
  const read = async (auditRef: string, options = {}) =>
    app.call("GET", `/v1/audit/events/${auditRef}`, { key: "auditor", ...options });
  const opens = (opening: string, commitment: string, body: string): boolean =>
    commitmentOf(opening, bodyDigest(body)) === commitment;

  const expectOpened = async ({ headers, text, status }: Answered): Promise<void> => {
    const { commitments, openings, action } = (await read(headers.get("audit-ref") ?? "")).body;
    expect(opens(openings.response, commitments.response, text), `${action}, status ${status}`).toBe(true);
  };

  it("answers who, with which key, what, all four stages and the outcome", async () => {
    const operator = await app.member("operator");
    const task = await app.dispatch({}, { key: operator.secret });
    await untilSequenced(app, task.audit_ref);
    const { status, body } = await read(task.audit_ref);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      audit_ref: task.audit_ref,
      actor: operator.memberId,
      key_id: operator.keyId,
      action: "agents.dispatchTask",
      object: `task:${task.task_id}`,
      task_id: task.task_id,
      decision: "allowed",
      stage: null,
      status: 202,
      code: null,
      trust_score: task.trust_score,
      leaf: { index: expect.any(Number), key_seq: 1 },
    });
    expect(body.stages.map((stage: { stage: string; verdict: string }) => [stage.stage, stage.verdict])).toEqual([
      ["permissions", "allow"],
      ["evaluation_gate", "allow"],
      ["compliance", "not_applicable"],
      ["audit", "recorded"],
    ]);
    expect(body.log_key).toBe(formatVerifierKey(await trustedKey(app)));
    expect(JSON.parse(body.leaf_data)).toMatchObject({
      id: task.audit_ref,
      key_seq: 1,
      operation: "agents.dispatchTask",
    });
  });

  it("opens its commitments for the bodies that were sent and answered, and for no others", async () => {
    const sent = JSON.stringify({ task: "qualify_lead", lead_id: "ld_1005", require_approval: true });
    const answered = await app.call("POST", "/v1/agents/sales/tasks", { body: sent });
    expect(answered.status).toBe(202);
    const { commitments, openings } = (await read(answered.body.audit_ref)).body;
    expect(opens(openings.request, commitments.request, sent)).toBe(true);
    expect(opens(openings.response, commitments.response, answered.text)).toBe(true);
    expect(opens(openings.request, commitments.request, sent.replace("ld_1005", "ld_1006"))).toBe(false);
    expect(opens(openings.response, commitments.request, sent)).toBe(false);
  });

  it("opens also the commitments of reads, of refusals, and of calls that concern a task", async () => {
    const { task_id } = await app.dispatch({ lead_id: "ld_1009" });
    const calls = [
      await app.call("GET", `/v1/tasks/${task_id}`),
      await app.call("GET", `/v1/approvals/${task_id}`),
      await app.call("POST", `/v1/tasks/${task_id}/cancel`, { body: {} }),
      await app.call("POST", `/v1/tasks/${task_id}/cancel`, { body: {} }),
      await app.call("GET", "/v1/agents/nobody"),
      await app.call("POST", "/v1/agents/sales/tasks", { body: { task: "qualify_lead" } }),
    ];
    for (const call of calls) await expectOpened(call);
  });

  it("opens the commitments of calls that name a task and are salted for who called", async () => {
    const { task_id, audit_ref } = await app.dispatch({ lead_id: "ld_1009" });
    await untilSequenced(app, audit_ref);
    const { event_id } = (await app.call("GET", `/v1/webhooks/events?task=${task_id}`)).body.data[0];
    const calls = [
      await app.call("GET", `/v1/webhooks/events/${event_id}/content`),
      await app.call("POST", `/v1/approvals/${task_id}/approve`, { key: "viewer", body: {} }),
    ];
    expect(calls.map(({ status }) => status)).toEqual([200, 403]);
    for (const call of calls) await expectOpened(call);
  });

  it("opens the commitments of a task's earlier calls, and of refused ones, whoever the task is about since", async () => {
    const { task_id, audit_ref } = await app.dispatch({ lead_id: "ld_1010" });
    const seen = await app.call("GET", `/v1/tasks/${task_id}`);
    const { digest } = (await app.call("GET", `/v1/approvals/${task_id}`)).body;
    const edit = (lead_id: string, shown: string) =>
      app.call("POST", `/v1/approvals/${task_id}/approve`, { body: { edits: { lead_id }, digest: shown } });
    const calls = [
      seen,
      await edit("ld_1012", "0".repeat(64)),
      await edit("ld_1011", digest),
      await edit("ld_1013", digest),
    ];
    expect(calls.map(({ status }) => status)).toEqual([200, 409, 200, 409]);
    for (const call of calls) await expectOpened(call);
    expect((await read(audit_ref)).body.openings).toHaveProperty("request");
  });

  it("opens a record that was written before salts were noted by whose data its task carries", async () => {
    const { task_id } = await app.dispatch({ lead_id: "ld_1015" });
    const seen = await app.call("GET", `/v1/tasks/${task_id}`);
    const old = seen.headers.get("audit-ref") as string;
    await untilSequenced(app, old);
    await asDatabaseOwner(app.pool, (owner) =>
      owner.query("update audit_records set salt_id = null where id = $1", [old]),
    );
    await expectOpened(seen);
  });

  it("opens nothing of an erased subject when its name is met again", async () => {
    const { audit_ref } = await app.dispatch({ lead_id: "ld_1014" });
    await app.pool.query("delete from audit_salts where subject = 'ld_1014'");
    await app.pool.query(
      "insert into audit_salts (organization, environment, subject, id, salt) values ('default', 'development', 'ld_1014', 'another', '\\x01')",
    );
    expect((await read(audit_ref)).body.openings).toEqual({});
  });

  it("opens nothing any more once the salt of the person concerned was destroyed", async () => {
    const { audit_ref } = await app.dispatch({ lead_id: "ld_1007" });
    expect(Object.keys((await read(audit_ref)).body.openings).sort()).toEqual(["address", "request", "response"]);
    await app.pool.query("delete from audit_salts where subject = 'ld_1007'");
    const { status, body } = await read(audit_ref);
    expect(status).toBe(200);
    expect(body.openings).toEqual({});
    expect(body.commitments.request).toMatch(/^[0-9a-f]{64}$/);
  });

  it("does not show a record whose text or index was changed in the database, nor its proof, and says what differs", async () => {
    const { audit_ref } = await app.dispatch();
    await untilSequenced(app, audit_ref);
    for (const [table, column, statement, says] of [
      ["audit_records", "id", `body = replace(body, '"status":202', '"status":403')`, "is not what was logged"],
      ["audit_leaves", "record_id", "key_seq = key_seq + 1", "is not what was logged"],
      [
        "audit_leaves",
        "record_id",
        "decision = 'refused'",
        'its decision is "refused" in the search index, and "allowed" in the record',
      ],
    ] as const) {
      const where = `${column} = '${audit_ref}'`;
      await whileEdited(app, { [table]: where }, `update ${table} set ${statement} where ${where}`, async () => {
        for (const path of ["", "/proof"]) {
          const { status, body } = await read(`${audit_ref}${path}`);
          expect([status, body.code, body.detail]).toEqual([500, "audit_integrity", expect.stringContaining(says)]);
        }
      });
    }
    expect((await read(audit_ref)).status).toBe(200);
  });

  it("answers 404 for a record of another environment, for none, and for what cannot be an id", async () => {
    const { audit_ref } = await app.dispatch();
    for (const [ref, environment] of [
      [audit_ref, "staging"],
      [`${audit_ref.slice(0, -1)}${audit_ref.endsWith("0") ? "1" : "0"}`, "development"],
      ["aud_1", "development"],
      [audit_ref.replace("aud_", "tsk_"), "development"],
    ] as const) {
      for (const path of ["", "/proof"])
        expect((await read(`${ref}${path}`, { environment })).status, ref + path).toBe(404);
    }
  });

  it("is for auditors and admins", async () => {
    const { audit_ref } = await app.dispatch();
    for (const path of ["", "/proof"]) {
      const { status, body } = await read(`${audit_ref}${path}`, { key: "operator" });
      expect([status, body.missing_scope]).toEqual([403, "audit:read"]);
    }
  });
});
