import { expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { useDatabase } from "../../../testing/database.ts";
import { gateFacts } from "./facts.ts";

const database = useDatabase();
const decided = new Date("2026-03-01T10:00:00Z");
const expires = new Date("2026-03-31T10:00:00Z");

async function insert(environment: string, version: string, verdict: string, run: string | null) {
  await database.pool.query(
    `insert into gate_verdicts (organization, environment, version_id, verdict, reasons, run_id, decided_at, expires_at)
     values ('default', $1, $2, $3, '{"score .91 at or above .8"}', $4, $5, $6)`,
    [environment, version, verdict, run, decided, expires],
  );
}
const load = () => gateFacts.load(createReader(database.pool));

it("holds the verdict on a version in each environment, and none where there is none", async () => {
  await insert("development", "ver_a", "failed", "run_1");
  await insert("production", "ver_a", "open", "run_2");
  const facts = await load();
  const of = (environment: "development" | "staging" | "production", version: string) =>
    facts.of({ organization: "default", environment }, version);
  expect(of("development", "ver_a")).toEqual({
    verdict: "failed",
    reasons: ["score .91 at or above .8"],
    expiresAt: expires.getTime(),
    version: "run_1",
  });
  expect(of("production", "ver_a")?.verdict).toBe("open");
  expect(of("staging", "ver_a")).toBeUndefined();
  expect(of("development", "ver_b")).toBeUndefined();
  expect(facts.of({ organization: "other", environment: "development" }, "ver_a")).toBeUndefined();
});

it("names a verdict without a run by its moment", async () => {
  await insert("development", "ver_c", "inconclusive", null);
  expect((await load()).of({ organization: "default", environment: "development" }, "ver_c")?.version).toBe(
    decided.toISOString(),
  );
});

it("knows what a gate says of its own, for its agent and environment, and nothing elsewhere", async () => {
  await database.pool.query("insert into organizations (organization) values ('default')");
  await database.pool.query(
    "insert into agents (organization, name, owner, draft) values ('default', 'one', 'mbr_1', '{}'), ('default', 'two', 'mbr_1', '{}')",
  );
  const gate = (more: object) => JSON.stringify({ fail_closed: false, on_missing: null, table: {}, ...more });
  await database.pool.query(
    `insert into gates (organization, environment, agent, definition, author) values ('default', 'staging', 'one', $1, 'mbr_1'),
       ('default', 'staging', 'two', $2, 'mbr_1'), ('default', 'production', 'two', $3, 'mbr_1')`,
    [
      gate({ on_missing: "deny", table: { failed: "allow" } }),
      gate({ fail_closed: true }),
      gate({ on_missing: "require_approval" }),
    ],
  );
  const facts = await load();
  const of = (environment: "development" | "staging" | "production", agent: string) =>
    facts.overrideOf({ organization: "default", environment }, agent);
  expect(of("staging", "one")).toEqual({ failed: "tag", expired: "refuse", missing: "refuse" });
  expect(of("staging", "two")).toEqual({
    failed: "refuse",
    inconclusive: "refuse",
    expired: "refuse",
    missing: "refuse",
  });
  expect(of("production", "two")).toEqual({ expired: "approve", missing: "approve" });
  expect([of("development", "one"), of("production", "one")]).toEqual([{}, {}]);
});
