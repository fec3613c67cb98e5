import { commitmentOf, formatVerifierKey } from "@aos/proof";
import { describe, expect, it } from "vitest";
import { type Answered, useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { eraseConversation } from "../../../chat/conversations/operations/erase-conversation.ts";
import { bodyDigest, editLog, logMac, trustedKey, untilSequenced, whileEdited } from "../../testing.ts";

describe("reading an audit record", () => {
  const app = useApp();
  const worker = useWorkerProcess(app);
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
    const { rows } = await app.pool.query("select body, writer, number from audit_records where id = $1", [old]);
    const scope = { organization: "default", environment: "development" };
    const mac = (await logMac(app)).record({ ...scope, ...rows[0], id: old, saltId: null });
    await editLog(app, "update audit_records set salt_id = null, mac = $2 where id = $1", [old, mac]);
    await expectOpened(seen);
  });

  const expectRefused = async (auditRef: string, says: string): Promise<void> => {
    for (const path of ["", "/proof"]) {
      const { status, body } = await read(`${auditRef}${path}`);
      expect([status, body.code, body.detail]).toEqual([500, "audit_integrity", expect.stringContaining(says)]);
    }
    const { data } = (await app.call("GET", `/v1/audit/events?limit=100`, { key: "auditor" })).body;
    const listed = data.find((one: { audit_ref: string }) => one.audit_ref === auditRef);
    expect(listed.integrity).toContain(says);
  };
  const saltOf = async (auditRef: string): Promise<string> =>
    (await app.pool.query("select salt_id from audit_records where id = $1", [auditRef])).rows[0].salt_id;

  it("tells of a salt that was deleted in the database, also when its subject got another one", async () => {
    const { audit_ref } = await app.dispatch({ lead_id: "ld_1014" });
    await untilSequenced(app, audit_ref);
    await app.pool.query("delete from audit_salts where subject = 'ld_1014'");
    await expectRefused(audit_ref, "no record of an erasure explains it");
    await app.pool.query(
      "insert into audit_salts (organization, environment, subject, id, salt) values ('default', 'development', 'ld_1014', 'another', '\\x01')",
    );
    await expectRefused(audit_ref, "no record of an erasure explains it");
  });

  it("does not believe a row that names a record of something else as the erasure", async () => {
    const { audit_ref } = await app.dispatch({ lead_id: "ld_1016" });
    await untilSequenced(app, audit_ref);
    const other = await erasedConversation();
    await app.pool.query(
      "insert into audit_erasures (organization, environment, salt_id, audit_ref) values ('default', 'development', $1, $2)",
      [await saltOf(audit_ref), other.erasure],
    );
    await app.pool.query("delete from audit_salts where subject = 'ld_1016'");
    await expectRefused(audit_ref, "no record of an erasure explains it");
  });

  it("tells of a salt that was exchanged, and of a record that was given another one", async () => {
    const { audit_ref } = await app.dispatch({ lead_id: "ld_1017" });
    const other = await app.dispatch({ lead_id: "ld_1018" });
    await untilSequenced(app, other.audit_ref);
    await editLog(app, "update audit_salts set salt = sha256(salt) where subject = 'ld_1017'");
    await expectRefused(audit_ref, "is not as it was written");
    await editLog(app, "update audit_records set salt_id = $2 where id = $1", [
      other.audit_ref,
      await saltOf(audit_ref),
    ]);
    await expectRefused(other.audit_ref, "is not as it was written");
  });

  /** A conversation that was started and erased, by the records of both calls. */
  async function erasedConversation() {
    const started = await app.call("POST", "/v1/chat/conversations", { body: { agent: "sales" } });
    const id = started.body.conversation_id;
    const erased = await app.call("DELETE", `/v1/chat/conversations/${id}?erase=now`, { body: {} });
    expect([started.status, erased.status]).toEqual([201, 200]);
    return { start: started.headers.get("audit-ref") as string, erasure: erased.headers.get("audit-ref") as string };
  }

  it("shows the records of a conversation that was erased by a call, opens none of them, and says which salt is gone", async () => {
    const { start, erasure } = await erasedConversation();
    await untilSequenced(app, erasure);
    const { status, body } = await read(start);
    expect([status, body.openings]).toEqual([200, {}]);
    expect(body.commitments.response).toMatch(/^[0-9a-f]{64}$/);
    expect((await read(`${start}/proof`)).status).toBe(200);
    const { stages } = (await read(erasure)).body;
    expect(stages[2].reasons).toContain(`destroyed the salt ${await saltOf(start)}`);
  });

  it("shows the records of what was erased at the end of its retention time, and of a memory that was erased", async () => {
    const started = await app.call("POST", "/v1/chat/conversations", { body: { agent: "sales" } });
    const id = started.body.conversation_id;
    await app.call("DELETE", `/v1/chat/conversations/${id}`, { body: {} });
    await app.pool.query("update chat_conversations set erase_at = now() where id = $1", [id]);
    await worker.inside(eraseConversation, app.scope, { conversation: id });
    const kept = await app.call("POST", "/v1/chat/memories", { body: { user: "u_1", text: "Likes tea." } });
    const erased = await app.call("DELETE", `/v1/chat/memories/${kept.body.memory_id}`, { body: {} });
    expect([started.status, kept.status, erased.status]).toEqual([201, 201, 200]);
    for (const { headers } of [started, kept]) {
      const { status, body } = await read(headers.get("audit-ref") as string);
      expect([status, body.openings]).toEqual([200, {}]);
    }
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
});
