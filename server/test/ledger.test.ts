import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../src", import.meta.url));

/** The service's sources without its tests, by their paths. */
async function sources(): Promise<Map<string, string>> {
  const names = await readdir(root, { recursive: true });
  const own = names.filter((name) => /\.ts$/.test(name) && !/\.(test|fixture)\.ts$|(^|\/)testing/.test(name));
  return new Map(
    await Promise.all(own.map(async (name) => [name, await readFile(path.join(root, name), "utf8")] as const)),
  );
}

/** Where a pattern stands in the sources. */
const places = async (pattern: RegExp): Promise<string[]> =>
  [...(await sources())].flatMap(([name, text]) => (pattern.test(text) ? [name] : [])).sort();

// Who charges in another way than by the ledger is found here: docs/decisions/0073.
describe("the ledger", () => {
  it("has entries of one maker", async () => {
    expect(await places(/as (unknown as )?LedgerEntry\b/)).toEqual(["kernel/ledger.ts"]);
  });

  it("is written with records by the pipeline, and with what outlives them in one place", async () => {
    expect(await places(/insert into ledger_entries|(update|delete from) ledger_entries/)).toEqual([
      "features/governance/budgets/ledger-store.ts",
    ]);
    expect(await places(/\bledgerTable\b/)).toEqual([
      "features/governance/budgets/ledger-store.ts",
      "kernel/ledger.ts",
      "pipeline/record.ts",
    ]);
  });

  it("charges tasks and steps with it, and nothing else does but the call of a tool, whose entry its record brings", async () => {
    expect(await places(/cost_usd = (\w\.)?cost_usd \+/)).toEqual([
      "features/governance/budgets/ledger-store.ts",
      "features/tasks/steps/store.ts",
    ]);
  });

  it("is what holds budgets: nothing reserves but the pipeline", async () => {
    expect(await places(/budgets\.reserve\(/)).toEqual(["pipeline/reserve.ts"]);
  });
});
