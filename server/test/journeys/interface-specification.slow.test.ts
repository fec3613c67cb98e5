import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { openCheckpoint, parseTlogProof, type VerifierKey } from "@aos/proof";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { trustedKey, untilLogged, verifiedTwice, writeExport } from "../audit.ts";
import { type Answered, auditRefOf, type Client, clientOf, dispatchPath, givenBody } from "../client.ts";
import { type ValidatingProxy, validatingProxy } from "../prism.ts";
import { aos, dataFolder, type ServiceProcess, startService, until } from "../processes.ts";

// One story in order: each test goes on where the one before ended, as a caller of the service would.
describe("the journey of the interface specification", () => {
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof dataFolder>>;
  let service: ServiceProcess;
  /** Between the caller and the service: what is not as described, request or answer, is a fault. */
  let proxy: ValidatingProxy;
  let call: Client;
  let key: VerifierKey;
  let keptCheckpoint: string;
  let dispatched: Answered;
  let approval: Answered;
  const references: string[] = [];

  /** A call whose record is looked at in the end. */
  const step: Client = async (...request) => {
    const answered = await call(...request);
    references.push(auditRefOf(answered));
    return answered;
  };

  beforeAll(async () => {
    [database, folder] = await Promise.all([testDatabase(), dataFolder()]);
    service = await startService({ databaseUrl: database.connectionString, dataDir: folder.dataDir, role: "all" });
    proxy = await validatingProxy(service.url);
    call = clientOf(proxy.url, (await readFile(path.join(folder.dataDir, "admin.key"), "utf8")).trim());
    key = await trustedKey(database.pool);
  });
  afterAll(async () => {
    await proxy?.close();
    await service?.stop();
    await database?.close();
    await folder?.remove();
  });

  const taskId = (): string => dispatched.body.task_id as string;

  it("begins with a checkpoint that an auditor keeps", async () => {
    const answered = await step("GET", "/v1/audit/checkpoint");
    expect(answered.status).toBe(200);
    keptCheckpoint = answered.text;
    expect((await openCheckpoint(keptCheckpoint, key)).origin).toBe(key.name);
  });

  it("accepts the given request with 202, exactly the four members, and the headers that callers rely on", async () => {
    dispatched = await step("POST", dispatchPath, { body: givenBody });
    expect(dispatched.status).toBe(202);
    expect(dispatched.body).toEqual({
      task_id: expect.stringMatching(/^tsk_[0-9a-hjkmnp-tv-z]{26}$/),
      status: "awaiting_approval",
      trust_score: expect.any(Number),
      audit_ref: expect.stringMatching(/^aud_[0-9a-hjkmnp-tv-z]{26}$/),
    });
    expect(dispatched.text).toMatch(/"trust_score":0\.\d+[,}]/);
    expect(dispatched.headers.get("content-type")).toMatch(/^application\/json/);
    expect(dispatched.headers.get("location")).toBe(`/v1/tasks/${taskId()}`);
    expect(dispatched.headers.get("audit-ref")).toBe(dispatched.body.audit_ref);
    expect(dispatched.headers.get("x-request-id")).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
  });

  it("shows the task at its Location, waiting, with the dispatch's four members among its own", async () => {
    const read = await step("GET", dispatched.headers.get("location") ?? "");
    expect(read.status).toBe(200);
    expect(read.body).toMatchObject({
      ...dispatched.body,
      agent: "sales",
      task: "qualify_lead",
      input: { lead_id: "ld_1001" },
    });
    expect(read.headers.get("audit-ref")).not.toBe(dispatched.body.audit_ref);
  });

  it("told subscribers in exactly the six members, with the address of the approval", async () => {
    const { rows } = await database.pool.query<{ body: string }>(
      "select body from events where task_id = $1 and type = 'task.approval_required'",
      [taskId()],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.parse(rows[0]?.body ?? "")).toEqual({
      event: "task.approval_required",
      task_id: taskId(),
      agent: "sales",
      risk: expect.stringMatching(/^(low|medium|high|critical)$/),
      summary: expect.stringMatching(/\w/),
      approve_url: `${service.url}/approvals/${taskId()}`,
    });
  });

  it("shows a page at approve_url, and reading it, as mail scanners do, decides nothing", async () => {
    const before = await step("GET", `/v1/approvals/${taskId()}`);
    for (const method of ["GET", "HEAD", "GET"]) {
      const page = await fetch(`${service.url}/approvals/${taskId()}?decision=approve`, { method });
      expect({ method, status: page.status, type: page.headers.get("content-type") }).toEqual({
        method,
        status: 200,
        type: "text/html; charset=utf-8",
      });
    }
    approval = await step("GET", `/v1/approvals/${taskId()}`);
    expect(approval.body).toMatchObject({
      status: "pending",
      task_status: "awaiting_approval",
      approvals: 0,
      votes: [],
    });
    expect(approval.body).toEqual(before.body);
  });

  it("is approved by a person, for exactly what was shown", async () => {
    const who = (await step("GET", "/v1/admin/whoami")).body;
    const decided = await step("POST", `/v1/approvals/${taskId()}/approve`, { body: { digest: approval.body.digest } });
    expect(decided.status).toBe(200);
    expect(decided.body).toMatchObject({ approval_id: approval.body.approval_id, task_id: taskId(), approvals: 1 });
    expect(["approved", "consumed"]).toContain(decided.body.status);
    expect(decided.body.votes).toEqual([
      expect.objectContaining({ vote: "approve", voter: expect.objectContaining({ kind: "person" }) }),
    ]);
    expect(JSON.stringify(who)).toContain(decided.body.votes[0].voter.id);
  });

  it("is completed by a worker, which looked the lead up", async () => {
    let status = "";
    const ended = async (): Promise<boolean> => {
      const { rows } = await database.pool.query<{ status: string }>("select status from tasks where id = $1", [
        taskId(),
      ]);
      status = rows[0]?.status ?? "";
      return !["queued", "running"].includes(status);
    };
    await until("the task has ended", ended, 20_000, () => status);
    const read = await step("GET", `/v1/tasks/${taskId()}`);
    expect(read.body).toMatchObject({ status: "completed", attempt: 1, audit_ref: dispatched.body.audit_ref });
    expect(read.body.output.reason).toMatch(/\w/); // in words of the lead's record
    const { data } = (await step("GET", `/v1/tasks/${taskId()}/steps`)).body;
    expect(data.map(({ name, state }: { name: string; state: string }) => `${name} ${state}`)).toEqual(
      ["builtin", "get_lead", "builtin"].map((name) => `${name} finished`),
    );
    expect(data[1].output).toMatchObject({ id: "ld_1001", base: "leads" });
    const consumed = await step("GET", `/v1/approvals/${taskId()}`);
    expect(consumed.body).toMatchObject({ status: "consumed", task_status: "completed" });
    const late = await step("POST", `/v1/approvals/${taskId()}/reject`, {
      body: { reason: "Too late.", digest: approval.body.digest },
    });
    expect({ status: late.status, code: late.body.code }).toEqual({ status: 409, code: "already_decided" });
  });

  it("left its events in the order in which things happened, numbered without a gap", async () => {
    await untilLogged(database.pool);
    const { rows } = await database.pool.query<{ sequence: number; type: string; task_sequence: number | null }>(
      `select p.sequence, e.type, e.task_sequence from events e join event_positions p on p.event_id = e.id
       where e.environment = 'development' order by p.sequence`,
    );
    expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_row, index) => index + 1));
    // The sample's own evaluation tells of itself whenever it ends.
    const ofTask = rows.filter(({ type }) => !type.startsWith("evaluation."));
    expect(ofTask.map(({ type, task_sequence }) => [type, task_sequence])).toEqual([
      ["task.created", 1],
      ["task.approval_required", 2],
      ["approval.decided", null],
      ["task.approved", 3],
      ["task.started", 4],
      ["task.completed", 5],
    ]);
  });

  it("left a record of every step, the worker's among them, whose proofs verify offline by the command line", async () => {
    const listed = await call("GET", `/v1/audit/events?task=${taskId()}&limit=100`);
    const actions: string[] = listed.body.data.map((record: { action: string }) => record.action);
    for (const action of [
      "agents.dispatchTask",
      "tasks.readTask",
      "approvals.approve",
      "tasks.startTask",
      "tasks.completeTask",
    ]) {
      expect(actions).toContain(action);
    }
    const once = (action: string): number => actions.filter((one) => one === action).length;
    expect({ start: once("tasks.startTask"), complete: once("tasks.completeTask") }).toEqual({ start: 1, complete: 1 });
    const all = new Set([...references, ...listed.body.data.map((record: { audit_ref: string }) => record.audit_ref)]);
    for (const reference of all)
      expect(await verifyOne(reference)).toMatchObject({ kind: "proof", verified: true, origin: key.name });
  });

  /** What `aos audit verify` says of one record, with nothing but what the service answered and the log's key. */
  async function verifyOne(reference: string): Promise<unknown> {
    const record = await call("GET", `/v1/audit/events/${reference}`);
    const proof = await call("GET", `/v1/audit/events/${reference}/proof`);
    expect([reference, record.status, proof.status]).toEqual([reference, 200, 200]);
    expect(Buffer.from(parseTlogProof(proof.text).extra ?? "").toString()).toBe(record.body.leaf_data);
    const files = { proof: path.join(folder.dataDir, "one.tlog-proof"), record: path.join(folder.dataDir, "one.json") };
    await Promise.all([writeFile(files.proof, proof.text), writeFile(files.record, record.body.leaf_data)]);
    const { code, stdout, stderr } = await aos(
      "audit",
      "verify",
      files.proof,
      "--record",
      files.record,
      "--key",
      path.join(folder.dataDir, "audit.vkey"),
      "--json",
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout);
  }

  it("ends with a signed checkpoint whose log verifies as a whole and contains the one that was kept", async () => {
    const { text } = await call("GET", "/v1/audit/checkpoint");
    const head = await openCheckpoint(text, key);
    expect(head.size).toBeGreaterThanOrEqual(references.length);
    await untilLogged(database.pool);
    const files = { log: path.join(folder.dataDir, "log.jsonl"), kept: path.join(folder.dataDir, "kept.txt") };
    await Promise.all([writeExport(database.pool, files.log), writeFile(files.kept, keptCheckpoint)]);
    const report = await verifiedTwice(files.log, key, files.kept);
    expect(report).toMatchObject({ verified: true, origin: key.name, withoutRecord: 0 });
    expect(report.leaves).toBeGreaterThanOrEqual(head.size);
  });
});
