import { expect, it, vi } from "vitest";
import { createReader } from "../../../db/reader.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { useDatabase } from "../../../testing/database.ts";
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
  from: Date | null = null,
) {
  await database.pool.query(
    `insert into policies (organization, environment, id, version, state, definition, effective_from, author) values ($1, $2, $3, $4, $5, $6, $7, 'test')`,
    [organization, environment, id, version, state, JSON.stringify(definition), from],
  );
}
const load = () => policyFacts.load(createReader(database.pool));

it("holds what is active or in shadow, with times in milliseconds, and no draft or retired version", async () => {
  await insert("states", "pol_a", 1, "retired");
  await insert("states", "pol_a", 2, "active", "development", new Date(5000));
  await insert("states", "pol_b", 1, "shadow");
  await insert("states", "pol_c", 1, "draft");
  expect((await load()).of(scope("states"))).toEqual([
    { ...definition, id: "pol_a", name: "", version: 2, state: "active", effective_from: 5000, effective_until: null },
    { ...definition, id: "pol_b", name: "", version: 1, state: "shadow", effective_from: null, effective_until: null },
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

it("a load that fails in both of its statements fails once, and leaves no rejection that nobody handles", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  let asked = 0;
  const query = async (): Promise<never> => {
    if (asked++ === 0) await new Promise(setImmediate);
    throw new Error("the connection is gone");
  };
  await expect(policyFacts.load({ query } as never)).rejects.toThrow("the connection is gone");
  process.off("unhandledRejection", unhandled);
  expect([asked, unhandled.mock.calls]).toEqual([2, []]);
});
