import { copyFile, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { migrate, readMigrations } from "./migrate.ts";

// What the migration 0025 makes of gates that were set before versions were pinned.

const migrations = path.join(import.meta.dirname, "migrations");
let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "aos-upgrade-"));
  database = await testDatabase({ migrated: false });
  const all = (await readMigrations()).map(({ name }) => name);
  const copy = (names: readonly string[]) =>
    Promise.all(names.map((name) => copyFile(path.join(migrations, name), path.join(folder, name))));
  await copy(all.filter((name) => name < "0025"));
  await migrate(database.pool, folder);
  await database.pool.query(used);
  await copy(all.filter((name) => name >= "0025"));
  await migrate(database.pool, folder);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.close();
});

const dataset = (id: string, version: number) =>
  `insert into datasets (organization, id, name, agent, skill, version, coverage, author) values ('org', '${id}', '${id}', 'a', 's', ${version}, '{}', 'm');`;
const used = `
  insert into organizations (organization) values ('org');
  insert into agents (organization, name, owner, draft) values ('org', 'a', 'm', '{}');
  ${dataset("ds_1", 3)} ${dataset("ds_2", 1)}
  insert into scorers (organization, name, version, definition, samples, author)
  select 'org', name, version, '{}', '[]', 'm' from (values ('first', 1), ('first', 2), ('second', 1)) as s(name, version);
  insert into gates (organization, environment, agent, definition, author) values ('org', 'production', 'a',
    '{"datasets": ["ds_2", "ds_1"], "scorers": [{"scorer": "second"}, {"scorer": "first", "floor": 0.5}], "floor": 0.8}', 'm');`;

it("pins the datasets and scorers of every gate in the version that it judged by until then", async () => {
  const { rows } = await database.pool.query("select definition, revision from gates");
  expect(rows).toEqual([
    {
      revision: 1,
      definition: {
        datasets: [
          { dataset_id: "ds_2", version: 1 },
          { dataset_id: "ds_1", version: 3 },
        ],
        scorers: [
          { scorer: "second", version: 1 },
          { scorer: "first", floor: 0.5, version: 2 },
        ],
        floor: 0.8,
      },
    },
  ]);
});
