import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { migrate } from "../../../db/migrate.ts";
import { createReader } from "../../../db/reader.ts";
import { useDatabase } from "../../../testing/database.ts";
import { findRecord, searchChunks } from "../public.ts";

const migrations = fileURLToPath(new URL("../../../db/migrations/", import.meta.url));
const database = useDatabase({ migrated: false });

/** A folder with the migrations that came before knowledge had passages. */
async function earlierMigrations(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "aos-migrations-"));
  const names = (await readdir(migrations)).filter((name) => name < "0007");
  await Promise.all(names.map((name) => cp(path.join(migrations, name), path.join(folder, name))));
  return folder;
}

it("finds in an installation that is brought up to date what it had: texts that were kept as records, and records", async () => {
  const folder = await earlierMigrations();
  try {
    await migrate(database.pool, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
  await database.pool.query(
    "insert into knowledge_bases (organization, environment, id, name) values ('default', 'development', 'kb_1', 'mixed')",
  );
  await database.pool.query(
    `insert into documents (organization, environment, id, base, external_id, fields) values
     ('default', 'development', 'doc_1', 'kb_1', 'routing', '{"title": "Routing", "text": "Large leads go to the enterprise team."}'),
     ('default', 'development', 'doc_2', 'kb_1', 'ld_1', '{"company": "Amber Looms", "budget": null}')`,
  );
  await migrate(database.pool);
  const looking = {
    scope: { organization: "default", environment: "development" as const },
    db: createReader(database.pool),
  };
  expect(await searchChunks(looking, ["mixed"], "enterprise", 5)).toMatchObject([
    { title: "Routing", text: "Large leads go to the enterprise team.", external_id: "routing" },
  ]);
  expect(await searchChunks(looking, ["mixed"], "amber", 5)).toMatchObject([
    { title: "ld_1", text: "company: Amber Looms" },
  ]);
  expect(await findRecord(looking, "mixed", "ld_1")).toMatchObject({
    fields: { company: "Amber Looms", budget: null },
  });
});
