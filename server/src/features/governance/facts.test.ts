import { expect, it } from "vitest";
import { createReader } from "../../db/reader.ts";
import type { Scope } from "../../kernel/principal.ts";
import { useDatabase } from "../../testing/database.ts";
import { policyFacts } from "./facts.ts";

const database = useDatabase();
const definition = {
  scope: { actions: ["task.dispatch"] },
  when: "true",
  effect: "deny",
  params: {},
  reason_code: "no",
  message: "No.",
  controls: ["soc2:CC6.1"],
};
const scope = (organization: string, environment: Scope["environment"] = "development"): Scope => ({
  organization,
  environment,
});

async function insert(
  organization: string,
  id: string,
  version: number,
  state: string,
  environment = "development",
  members: object = {},
  from: Date | null = null,
) {
  await database.pool.query(
    `insert into policies (organization, environment, id, version, state, definition, effective_from, author) values ($1, $2, $3, $4, $5, $6, $7, 'test')`,
    [organization, environment, id, version, state, JSON.stringify({ ...definition, ...members }), from],
  );
}
const load = () => policyFacts.load(createReader(database.pool));

it("holds policies as they were saved, with times in milliseconds", async () => {
  await insert("whole", "pol_a", 3, "active", "development", {}, new Date(5000));
  expect((await load()).of(scope("whole"))).toEqual([
    { ...definition, id: "pol_a", version: 3, state: "active", effective_from: 5000, effective_until: null },
  ]);
});

it("holds what is active or in shadow, and no draft or retired version", async () => {
  for (const [id, version, state] of [
    ["pol_a", 1, "retired"],
    ["pol_a", 2, "active"],
    ["pol_b", 1, "shadow"],
    ["pol_c", 1, "draft"],
  ] as const) {
    await insert("states", id, version, state);
  }
  const held = (await load()).of(scope("states")).map(({ id, version, state }) => [id, version, state]);
  expect(held).toEqual([
    ["pol_a", 2, "active"],
    ["pol_b", 1, "shadow"],
  ]);
});

it("keeps organizations and environments apart", async () => {
  await insert("one", "pol_a", 1, "active");
  await insert("one", "pol_b", 1, "active", "production");
  const facts = await load();
  expect(facts.of(scope("one")).map(({ id }) => id)).toEqual(["pol_a"]);
  expect(facts.of(scope("one", "production")).map(({ id }) => id)).toEqual(["pol_b"]);
  expect(facts.of(scope("one", "staging"))).toEqual([]);
  expect(facts.of(scope("two"))).toEqual([]);
});

it("answers the same list until it is loaded again, also where there is none", async () => {
  await insert("same", "pol_a", 1, "active");
  const facts = await load();
  expect(facts.of(scope("same"))).toBe(facts.of(scope("same")));
  expect(facts.of(scope("nobody"))).toBe(facts.of(scope("nobody")));
  expect((await load()).of(scope("same"))).not.toBe(facts.of(scope("same")));
});

it("lets no member of what was saved pass for the policy's own id, version or state", async () => {
  await insert("forged", "pol_a", 1, "shadow", "development", {
    id: "pol_z",
    version: 9,
    state: "active",
    effective_until: 1,
  });
  expect((await load()).of(scope("forged"))).toMatchObject([
    { id: "pol_a", version: 1, state: "shadow", effective_until: null },
  ]);
});
