import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { migrate } from "../../../db/migrate.ts";
import { createReader } from "../../../db/reader.ts";
import { useDatabase } from "../../../testing/database.ts";
import { scope, storedCells } from "./facts.fixture.ts";
import { familyDimensions, familySums } from "./measures.ts";
import { Difference, writeParts } from "./parts-store.ts";
import { rollup } from "./rollup.ts";
import { rollUp } from "./testing.ts";

const migrations = fileURLToPath(new URL("../../../db/migrations/", import.meta.url));
const database = useDatabase({ migrated: false });
const hour = 60;
const start = Date.UTC(2026, 9, 1) / 60_000;
const family = "violations" as const;

/** The database as it was before quarters of an hour were kept. */
async function migrateToHours(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "aos-migrations-"));
  try {
    const names = (await readdir(migrations)).filter((name) => name < "0049");
    await Promise.all(names.map((name) => cp(path.join(migrations, name), path.join(folder, name))));
    await migrate(database.pool, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** One violation in each of the minutes, and nothing but minutes merged to hours and days. */
async function fill(minutes: readonly number[]): Promise<void> {
  const db = {
    query: async (text: string, values?: readonly unknown[]) => (await database.pool.query(text, values as [])).rows,
  };
  const counted = (length: number) => {
    const difference = new Difference(0);
    const dims = familyDimensions[family].map(() => 1);
    const sums = familySums[family].map((name) => (name === "n" ? 1 : 0));
    for (const minute of minutes) difference.add(minute - (minute % length), [{ family, dims, sums, bins: [] }], 1);
    return difference.minutes().map(({ minute, block }) => ({ family, bucket: minute, block }));
  };
  await writeParts({ db: db as never, scope }, [
    ...counted(1).map((part) => ({ ...part, grain: "minute" as const })),
    ...counted(hour).map((part) => ({ ...part, grain: "hour" as const })),
    ...counted(24 * hour).map((part) => ({ ...part, grain: "day" as const })),
  ]);
}

async function countByHours(timeZone: string): Promise<(number | null)[]> {
  const facts = { get: <T>() => ({ of: () => ({ analytics: { labels: [] } }) }) as T };
  const principal = { agents: null } as never;
  const ctx = { db: createReader(database.pool), facts, now: Date.now(), scope, principal };
  const asked = { measures: ["violations"], grain: "hour", timeZone } as const;
  const window = { from: (start + hour / 2) * 60_000, to: (start + 4.5 * hour) * 60_000 };
  const { rows } = await rollup(ctx, { ...asked, ...window });
  return rows.map(({ values }) => values.violations.value);
}

it("merges quarters of an hour from what was counted before they were kept, and counts minutes until then", async () => {
  await migrateToHours();
  await fill([10, 29, 30, 44, 45, 89, 90, 200, 201, 269, 270].map((minute) => start + minute));
  await migrate(database.pool);
  expect(await countByHours("Asia/Kolkata")).toEqual([4, 1, 2, 1]);
  expect((await storedCells(database.pool)).quarter).toEqual({});
  await rollUp(database.pool);
  const { minute, quarter } = await storedCells(database.pool);
  const total = (cells: Record<string, number>) => Object.values(cells).reduce((sum, value) => sum + value, 0);
  expect([total(minute), total(quarter), Object.keys(quarter).length]).toEqual([11, 11, 9]);
  await database.pool.query("delete from analytics_blocks where grain = 'minute'");
  expect(await countByHours("Asia/Kolkata")).toEqual([4, 1, 2, 1]);
});
