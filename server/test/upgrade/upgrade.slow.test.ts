import { cp, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openCheckpoint, parseVerifierKey, verifyConsistency, verifyRecordProof } from "@aos/proof";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "../../src/db/migrate.ts";
import { testDatabase } from "../../src/testing/database.ts";
import { temporaryRoot } from "../../src/testing/temporary.ts";
import type { Answered } from "../client.ts";
import { until } from "../processes.ts";
import { type KeptCall, keptReleases, readKept, restore, textsOf } from "./kept.ts";
import { type Upgraded, upgrade } from "./upgraded.ts";

// The present service on a dump of each landed release (`npm run release-dump`), by the steps of docs/operations/upgrade.md.

/** Stored answers with a secret: the migration 0023 deleted them, as docs/operations/upgrade.md says. */
const forgets = (release: string, call: KeptCall): boolean => release === "40bda75" && call.secret !== undefined;
/** What calls under an Idempotency-Key make. */
const made = ["tasks", "agents", "agent_versions", "deployments", "policies", "knowledge_bases", "documents"];
/** How long agents and runs may take, in milliseconds. */
const patience = 60_000;
const replayed = ({ headers }: Answered): string | null => headers.get("idempotent-replayed");
const migrations = fileURLToPath(new URL("../../src/db/migrations/", import.meta.url));

describe.each(await keptReleases())("after an upgrade from %s", { timeout: 120_000 }, (release) => {
  let upgraded: Upgraded;
  beforeAll(async () => {
    upgraded = await upgrade(release);
  }, 120_000);
  afterAll(async () => {
    await upgraded?.close();
  }, 60_000);

  it("each Idempotency-Key is answered as before, and nothing is done again", async () => {
    const counts = () => Promise.all(made.map((table) => upgraded.count(table)));
    const before = await counts();
    for (const call of upgraded.kept.carriedOut) {
      if (forgets(release, call)) continue;
      const again = await upgraded.repeat(call);
      const shown = JSON.parse(call.answer) as Record<string, unknown>;
      if (call.secret !== undefined) Object.assign(shown, { [call.secret]: undefined, secret_withheld: true });
      expect([call.path, again.status, replayed(again)]).toEqual([call.path, call.status, "true"]);
      expect(again.text).toBe(call.secret === undefined ? call.answer : JSON.stringify(shown));
    }
    expect(await counts()).toEqual(before);
  });

  it("an Idempotency-Key is refused with another body", async () => {
    for (const call of upgraded.kept.carriedOut) {
      if (forgets(release, call)) continue;
      const { status, body } = await upgraded.repeat(call, { spaced: true });
      expect([call.path, status, body.code]).toEqual([call.path, 422, "idempotency_key_reused"]);
    }
  });

  it("an Idempotency-Key means nothing to another key of its member", async () => {
    for (const call of upgraded.kept.carriedOut.filter(
      ({ caller, path: at }) => caller === "admin" && at.endsWith("/tasks"),
    )) {
      const own = await upgraded.repeat(call, { caller: "second" });
      expect([own.status, replayed(own)]).toEqual([202, null]);
      expect(own.body.task_id).not.toBe(JSON.parse(call.answer).task_id);
      expect((await upgraded.repeat(call, { caller: "second" })).text).toBe(own.text);
      expect((await upgraded.repeat(call)).text).toBe(call.answer);
    }
  });

  it("the Idempotency-Key of a refused call is free", async () => {
    for (const call of upgraded.kept.refused) {
      const again = await upgraded.repeat(call);
      expect([again.status, replayed(again)]).toEqual([call.status, null]);
      const body = { task: "summarize_lead", lead_id: "ld_1001" };
      expect((await upgraded.repeat(call, { body })).status).toBe(202);
    }
  });

  it("proofs from before verify, and the log continues from the checkpoint of before", async () => {
    const { kept } = upgraded;
    expect(Object.keys(kept.proofs).length).toBeGreaterThan(2);
    for (const [reference, proof] of Object.entries(kept.proofs)) {
      const now = await upgraded.call("admin", "GET", `/v1/audit/events/${reference}/proof`);
      for (const text of [proof, now.text])
        expect(await verifyRecordProof(text, kept.logKeys)).toMatchObject({
          verified: true,
          record: { id: reference },
        });
    }
    const key = parseVerifierKey(keyOf(kept.checkpoint, kept.logKeys));
    const older = await openCheckpoint(kept.checkpoint, key);
    const { text } = await upgraded.call("admin", "GET", `/v1/audit/checkpoint?from=${older.size}`);
    const [head = "", ...note] = text.split("\n\n");
    const newer = await openCheckpoint(note.join("\n\n"), key);
    const hashes = head.split("\n").slice(1);
    expect(newer.size).toBeGreaterThan(older.size);
    expect(
      verifyConsistency(
        older,
        newer,
        hashes.map((hash) => Buffer.from(hash, "base64")),
      ),
    ).toBe(true);
  });

  it("tasks are as they were, and the one that waits for approval is decided and completes", async () => {
    const { tasks, undecided } = upgraded.kept;
    const stateOf = async (task: string): Promise<string> =>
      (await upgraded.call("admin", "GET", `/v1/tasks/${task}`)).body.status;
    for (const [task, state] of Object.entries(tasks)) expect([task, await stateOf(task)]).toEqual([task, state]);
    await approve(upgraded, undecided);
    await until("it completes", async () => (await stateOf(undecided)) === "completed", patience);
  });

  it("conversations have their messages and go on", async () => {
    for (const [conversation, texts] of Object.entries(upgraded.kept.conversations)) {
      const address = `/v1/chat/conversations/${conversation}/messages`;
      const messages = async () => (await upgraded.call("admin", "GET", address)).body.data;
      const before = await messages();
      expect(textsOf(before).slice(-texts.length)).toEqual(texts); // the newest first
      expect((await upgraded.call("admin", "POST", address, { text: "And of budgets again?" })).status).toBe(202);
      const answered = async () => {
        const [newest] = await messages();
        return newest.number > before[0].number + 1 && newest.role === "agent" && newest.status === "complete";
      };
      await until("the agent answers", answered, patience);
    }
  });

  it("a run of a workflow that waits for people goes on once they have decided", async () => {
    const { waitingRun } = upgraded.kept;
    if (waitingRun === null) return;
    const run = async () => (await upgraded.call("admin", "GET", waitingRun)).body;
    expect((await run()).status).toBe("waiting");
    const { data } = (await upgraded.call("admin", "GET", "/v1/approvals?status=pending")).body;
    await approve(
      upgraded,
      data.find((one: { kind?: string; run_id?: string }) => JSON.stringify(one).includes(waitingRun.slice(-26)))
        .approval_id,
    );
    await until("it completes", async () => (await run()).status === "completed", patience);
  });

  it("an open question of a mission is answered", async () => {
    const { openDecision } = upgraded.kept;
    if (openDecision === null) return;
    expect((await upgraded.call("admin", "POST", openDecision, { answer: "Yes." })).status).toBeLessThan(300);
  });

  it("the earlier release refuses the database unharmed, and takes the restored one", async () => {
    const applied = async () =>
      (await upgraded.database.pool.query("select name from schema_migrations order by name")).rows;
    const restored = await testDatabase({ migrated: false });
    const folder = await mkdtemp(path.join(temporaryRoot(), "aos-test-release-"));
    try {
      await restore(release, restored.connectionString, path.join(folder, "data"));
      const { rows } = await restored.pool.query(
        "select name from schema_migrations where name like '0%' order by name",
      );
      for (const { name } of rows) await cp(path.join(migrations, name), path.join(folder, "migrations", name));
      const earlier = path.join(folder, "migrations");
      const [before, { carriedOut }] = [await applied(), await readKept(release)];
      await expect(migrate(upgraded.database.pool, earlier)).rejects.toThrow(
        /^The database has the migration \d{4}_\w+\.sql, which this release does not know/,
      );
      expect(await applied()).toEqual(before);
      const own = (await migrate(restored.pool, earlier)).applied.filter((name) => name !== "graphile-worker");
      expect(own).toEqual([]);
      const dispatched = carriedOut.filter(({ path: at }) => at.endsWith("/tasks")).length;
      const keyed = "select count(*)::int as n from tasks where idempotency_hash is not null and batch_id is null";
      expect((await restored.pool.query(keyed)).rows).toEqual([{ n: dispatched }]);
    } finally {
      await restored.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** The line of a log among its public keys. */
function keyOf(checkpoint: string, keys: string): string {
  const [origin] = checkpoint.split("\n");
  return keys.split("\n").find((line) => line.startsWith(`${origin}+`)) ?? "";
}

async function approve({ call }: Upgraded, approval: string): Promise<void> {
  const { digest } = (await call("admin", "GET", `/v1/approvals/${approval}`)).body;
  const decided = await call("admin", "POST", `/v1/approvals/${approval}/approve`, { digest, reason: "A known lead." });
  expect([decided.status, decided.text]).toEqual([200, expect.anything()]);
}
