import { describe, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { useDatabase } from "../../../testing/database.ts";
import { findRecord, findRecords } from "../public.ts";

const database = useDatabase();
const contextIn = (environment: string) =>
  ({ scope: { organization: "default", environment }, db: createReader(database.pool) }) as unknown as ReadContext;

async function base(id: string, name: string, environment: string): Promise<void> {
  await database.pool.query(
    "insert into knowledge_bases (organization, environment, id, name) values ('default', $1, $2, $3)",
    [environment, id, name],
  );
}

async function record(baseId: string, environment: string, externalId: string, fields: object | null): Promise<void> {
  await database.pool.query(
    "insert into documents (organization, environment, id, base, external_id, fields) values ('default', $1, $2, $3, $4, $5)",
    [environment, `doc_${baseId}_${externalId}`, baseId, externalId, fields && JSON.stringify(fields)],
  );
}

describe("looking a record up", () => {
  it("finds it by its base's name and its own id, in its environment only", async () => {
    await base("kb_1", "leads", "development");
    await base("kb_2", "leads", "staging");
    await base("kb_3", "accounts", "development");
    await record("kb_1", "development", "ld_1", { company: "Amber" });
    await record("kb_2", "staging", "ld_1", { company: "Basalt" });
    await record("kb_1", "development", "text", null);
    const development = contextIn("development");
    expect(await findRecord(development, "leads", "ld_1")).toMatchObject({
      external_id: "ld_1",
      fields: { company: "Amber" },
    });
    expect(await findRecord(contextIn("staging"), "leads", "ld_1")).toMatchObject({ fields: { company: "Basalt" } });
    for (const [name, id] of [
      ["leads", "ld_2"],
      ["accounts", "ld_1"],
      ["nothing", "ld_1"],
      ["leads", "text"],
    ] as const) {
      expect(await findRecord(development, name, id)).toBeUndefined();
    }
    expect(await findRecord(contextIn("production"), "leads", "ld_1")).toBeUndefined();
  });

  it("finds many at once, in the order asked for, with a gap for each that is not there", async () => {
    const development = contextIn("development");
    const asked = [
      { base: "leads", id: "ld_9" },
      { base: "leads", id: "ld_1" },
      { base: "accounts", id: "ld_1" },
      { base: "leads", id: "ld_1" },
    ];
    const found = await findRecords(development, asked);
    expect(found.map((row) => row?.fields)).toEqual([undefined, { company: "Amber" }, undefined, { company: "Amber" }]);
    expect(await findRecords(development, [])).toEqual([]);
  });
});
