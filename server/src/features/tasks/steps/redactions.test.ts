import { beforeAll, describe, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { systemClock } from "../../../kernel/clock.ts";
import type { Reader } from "../../../kernel/db.ts";
import type { RunInside } from "../../../kernel/machines.ts";
import { createSeals } from "../../../kernel/seals.ts";
import type { RedactDemand } from "../../../kernel/verdict.ts";
import { useApp } from "../../../testing/app.ts";
import { beginStep, leaseOn, taskRow } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { type Started, startTask } from "../runs/operations/start-task.ts";
import { createRunnerPort } from "../runs/runtime-port.ts";
import { underPolicy } from "../runs/testing.ts";
import { createRedactions, keepRedactions, loadRedactions } from "./redactions.ts";

const app = useApp();
const process = useWorkerProcess(app);
const credentialKey = Buffer.alloc(32, 9);
const seals = createSeals(Buffer.alloc(32, 9));

/** The port of a worker whose runs start under policies that redact: what they demand is put into the answers of the calls that they judge. */
function portUnder(
  atStart: RedactDemand | null,
  seen: unknown[] = [],
  db: Reader = createReader(process.database.pool),
) {
  const inside: RunInside = async (operation, scope, input) => {
    seen.push(input);
    const output = await process.inside(operation, scope, input);
    if (operation.id === startTask.id) return { ...(output as Started), redact: atStart } as typeof output;
    return output;
  };
  const { facts, newId, port } = app.app;
  return createRunnerPort({
    inside,
    db,
    facts,
    newId,
    port,
    seals,
    clock: systemClock,
    credentialKey,
    credentials: async () => null,
  });
}

/** Does `work` while a policy keeps personal data of what tools find from runs. */
const redactingCalls = (work: () => Promise<void>) =>
  underPolicy(
    app,
    process,
    { scope: { actions: ["tool.call"] }, effect: "redact", params: { kinds: ["email"] } },
    work,
  );

const all: RedactDemand = { kinds: "all" };
const address = "ann.lee@example.com";
/** An id that is itself personal data. */
const telling = "ld_ann.lee@example.com";
const dispatch = async () => (await app.dispatch({ require_approval: false, lead_id: "ld_mail" })).task_id;

describe("a run whose input and records are redacted", () => {
  beforeAll(async () => {
    await app.pool.query(
      `insert into documents (organization, environment, id, base, external_id, fields)
       select organization, environment, 'doc_01jd8x0000000000000000000a', base, 'ld_mail', $1::jsonb from documents
       where environment = 'development' and external_id = 'ld_1001'`,
      [JSON.stringify({ owner: "Sample Lead", mail: address, second: "bob.ray@example.com" })],
    );
    await app.pool.query(
      `insert into documents (organization, environment, id, base, external_id, fields)
       select organization, environment, 'doc_01jd8x0000000000000000000b', base, $1, '{"found": "by its address"}' from documents
       where environment = 'development' and external_id = 'ld_1001'`,
      [telling],
    );
  });

  it("gets placeholders, the same ones for the same values, and its caller gets the values back", async () => {
    const task = await dispatch();
    const lease = leaseOn(app, task);
    const port = portUnder(all);
    await port.start(lease);
    await redactingCalls(async () => {
      const output = { id: "ld_mail", fields: { mail: "[email_1]", second: "[email_2]" } };
      for (const number of [1, 2]) {
        const result = await port.callTool(lease, { number, tool: "get_lead", arguments: { lead_id: "ld_mail" } });
        expect(result).toMatchObject({ kind: "output", output });
      }
      const { rows } = await app.pool.query("select state, output from steps where task_id = $1", [task]);
      expect(rows.map(({ state }) => state)).toEqual(["finished", "finished"]);
      expect(JSON.stringify(rows)).not.toContain("example.com");
    });
    await port.complete(lease, { answer: "write to [email_1], not to [email_2] or [email_3]" });
    expect((await taskRow(app, task)).output).toEqual({
      answer: `write to ${address}, not to bob.ray@example.com or [email_3]`,
    });
  });

  it("calls tools with what stands behind its placeholders, and names only those in what it is told", async () => {
    const { task_id: task } = await app.dispatch({ require_approval: false, lead_id: telling });
    const lease = leaseOn(app, task);
    const seen: unknown[] = [];
    const port = portUnder(all, seen);
    expect(await port.start(lease)).toMatchObject({ claimed: true, run: { input: { lead_id: "[email_1]" } } });
    expect(
      await port.callTool(lease, { number: 1, tool: "get_lead", arguments: { lead_id: "[email_1]" } }),
    ).toMatchObject({
      kind: "output",
      output: { id: "[email_1]", fields: { found: "by its address" } },
    });
    expect(seen.at(-1)).toMatchObject({ arguments: { lead_id: telling } });
    await app.pool.query("delete from documents where external_id = $1", [telling]);
    const failed = await port.callTool(lease, { number: 1, tool: "get_lead", arguments: { lead_id: "[email_1]" } });
    expect(failed).toMatchObject({
      kind: "failed",
      failure: { code: "record_not_found", detail: "The knowledge base leads has no record [email_1]." },
    });
    if (failed.kind === "failed") await port.fail(lease, failed.failure);
    expect((await taskRow(app, task)).failure?.detail).toContain(telling);
  });

  it("goes on with its placeholders in another worker", async () => {
    const task = await dispatch();
    const first = leaseOn(app, task);
    const port = portUnder(null);
    await port.start(first);
    await redactingCalls(async () => {
      await port.callTool(first, { number: 1, tool: "get_lead", arguments: { lead_id: "ld_mail" } });
    });
    await port.giveBack(first);
    const next = leaseOn(app, task);
    const other = portUnder(null);
    await other.start(next);
    await other.complete(next, { to: "[email_2]" });
    expect((await taskRow(app, task)).output).toEqual({ to: "bob.ray@example.com" });
  });

  it("gets every answer of people, also where several of them need placeholders at once", async () => {
    const task = await dispatch();
    const first = leaseOn(app, task);
    const port = portUnder(null);
    await port.start(first);
    const answers = [address, "bob.ray@example.com", "eve.fox@example.com"];
    for (const [at, answer] of answers.entries()) {
      const id = await beginStep(app, first, {
        number: at + 1,
        kind: "tool",
        name: "ask",
        input: { question: "Whom?" },
      });
      await port.endStep(first, id as string, { state: "finished", output: { answer } });
    }
    await port.giveBack(first);
    const next = leaseOn(app, task);
    const other = portUnder(all);
    await other.start(next);
    const steps = (await other.journal(next)) as { output: { answer: string } }[];
    const shown = steps.map(({ output }) => output.answer);
    expect(shown).toEqual(["[email_1]", "[email_2]", "[email_3]"]);
    await other.complete(next, { shown });
    expect((await taskRow(app, task)).output).toEqual({ shown: answers });
  });

  it("has one placeholder for each value, whoever asks for them at the same time", async () => {
    const lease = leaseOn(app, await dispatch());
    await portUnder(null).start(lease);
    const redactions = createRedactions(createReader(process.database.pool), credentialKey);
    const texts = [address, "bob.ray@example.com", address, "eve.fox@example.com"];
    const redacted = await Promise.all(texts.map((text) => redactions.redact(lease, all, text)));
    expect(redacted.map((one) => one?.value)).toEqual(["[email_1]", "[email_2]", "[email_1]", "[email_3]"]);
  });

  it("hears that its lease is lost, instead of a journal without answers", async () => {
    const task = await dispatch();
    const first = leaseOn(app, task);
    const port = portUnder(null);
    await port.start(first);
    const id = await beginStep(app, first, { number: 1, kind: "tool", name: "ask", input: { question: "Whom?" } });
    await port.endStep(first, id as string, { state: "finished", output: { answer: address } });
    await port.giveBack(first);
    const next = leaseOn(app, task);
    const db = createReader(process.database.pool);
    const other = portUnder(all, [], {
      ...db,
      async query(text: string, values?: readonly unknown[]) {
        const rows = await db.query(text, values);
        if (text.includes("join steps"))
          await app.pool.query("update tasks set lease_owner = 'another' where id = $1", [task]);
        return rows as never;
      },
    });
    await other.start(next);
    expect(await other.journal(next)).toBeNull();
  });

  it("is told what people want otherwise with placeholders, as it is told what they answer", async () => {
    const task = await dispatch();
    const port = portUnder(all);
    const asking = { scope: { actions: ["tool.call"] }, effect: "require_approval", params: { approvers: 1 } };
    await underPolicy(app, process, asking, async () => {
      const first = leaseOn(app, task);
      await port.start(first);
      const call = { number: 1, tool: "get_lead", arguments: { lead_id: "ld_mail" } };
      expect(await port.callTool(first, call)).toMatchObject({ kind: "waits" });
      const { digest } = (await app.call("GET", `/v1/approvals/${task}`)).body;
      await app.call("POST", `/v1/approvals/${task}/request-changes`, {
        body: { note: `Ask ${address} first.`, digest },
      });
      const next = leaseOn(app, task);
      await port.start(next);
      const detail = "It was not carried out; people want it otherwise: Ask [email_1] first.";
      expect(await port.callTool(next, call)).toEqual({
        kind: "sent_back",
        failure: { code: "changes_requested", detail },
      });
    });
  });

  it("is told failures of tools without what stands behind its placeholders, also where no word beside a value names it", async () => {
    const { task_id: task } = await app.dispatch({ require_approval: false, lead_id: telling });
    const lease = leaseOn(app, task);
    const port = portUnder({ kinds: ["email"] });
    await port.start(lease);
    const db = createReader(process.database.pool);
    await keepRedactions(db, credentialKey, lease, { "[phone_1]": 4930123456 });
    await port.giveBack(lease);
    const next = leaseOn(app, task);
    await port.start(next);
    const id = await beginStep(app, next, {
      number: 1,
      kind: "tool",
      name: "crm",
      input: { to: "[email_1]", at: "[phone_1]" },
    });
    const failure = { code: "http_refused", detail: `crm answered 400: ${telling} and 4930123456 and x@example.com.` };
    const hidden = { ...failure, detail: "crm answered 400: [email_1] and [phone_1] and [email_2]." };
    expect(await port.endStep(next, id as string, { state: "failed", failure })).toEqual({ failure: hidden });
    expect(await port.journal(next)).toMatchObject([{ failure: hidden }]);
  });

  it("leaves what stands behind its placeholders in no record of its calls, and the rest of them as policies saw it", async () => {
    const contextsOf = async (task: string) => {
      const { rows } = await app.pool.query<{ context: string }>(
        `select context from audit_records where body::jsonb->>'task_id' = $1 and context ~ '^."action":"(tool|model).call"' order by xid, n`,
        [task],
      );
      return rows.map(({ context }) => JSON.parse(context) as { input?: unknown; input_dropped?: boolean });
    };
    const run = async (lead_id: string, demand: RedactDemand | null) => {
      const { task_id: task } = await app.dispatch({ require_approval: false, lead_id });
      const lease = leaseOn(app, task);
      const port = portUnder(demand);
      await port.start(lease);
      await port.beginModel(
        lease,
        { number: 1, kind: "model", name: "sample", input: {} },
        { steps: 1, tokens: 1, usd: 0 },
      );
      await port.callTool(lease, {
        number: 2,
        tool: "get_lead",
        arguments: { lead_id: demand && lead_id === telling ? "[email_1]" : lead_id },
      });
      return contextsOf(task);
    };
    expect(await run(telling, null)).toMatchObject([{ input: { lead_id: telling } }, { input: { lead_id: telling } }]);
    const hidden = await run(telling, all);
    expect(hidden).toMatchObject([{ input_dropped: true }, { input_dropped: true }]);
    expect(JSON.stringify(hidden)).not.toContain("example.com");
    expect(await run("ld_1001", all)).toMatchObject([{ input_dropped: true }, { input: { lead_id: "ld_1001" } }]);
  });

  it("keeps what stands behind them encrypted, bound to its task and placeholder, and only while it holds the lease", async () => {
    const task = await dispatch();
    const lease = leaseOn(app, task);
    const db = createReader(process.database.pool);
    await portUnder(null).start(lease);
    expect(await keepRedactions(db, credentialKey, lease, { "[email_1]": address, "[phone_1]": 4930123456 })).toBe(
      true,
    );
    expect(await loadRedactions(db, credentialKey, lease)).toEqual({ "[email_1]": address, "[phone_1]": 4930123456 });
    const { rows } = await app.pool.query("select value from task_redactions where task_id = $1", [task]);
    expect(rows.map(({ value }) => value.toString("latin1")).join()).not.toContain("ann");
    await app.pool.query(
      "update task_redactions set placeholder = '[email_7]' where task_id = $1 and placeholder = '[email_1]'",
      [task],
    );
    await expect(loadRedactions(db, credentialKey, lease)).rejects.toThrow("does not open");
    expect(
      await keepRedactions(db, credentialKey, { ...lease, owner: "another" }, { "[email_2]": "x@example.com" }),
    ).toBe(false);
  });
});

describe("a run that nothing redacts", () => {
  it("is left as it is, whatever looks like a placeholder in it", async () => {
    const task = await dispatch();
    const lease = leaseOn(app, task);
    const port = portUnder(null);
    expect(await port.start(lease)).toMatchObject({ run: { input: { lead_id: "ld_mail" } } });
    await port.complete(lease, { answer: "[email_1]" });
    expect((await taskRow(app, task)).output).toEqual({ answer: "[email_1]" });
    const { rows } = await app.pool.query("select 1 from task_redactions where task_id = $1", [task]);
    expect(rows).toEqual([]);
  });
});
