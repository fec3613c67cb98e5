import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { defineAppendTable, defineGuard } from "../kernel/append.ts";
import { useDatabase } from "../testing/database.ts";
import { asDatabaseOwner } from "../testing/owner.ts";
import type { CallWrites } from "./append-statement.ts";
import { type Committer, createCommitter } from "./committer.ts";
import { newId, production, sampleRecord, testWriter } from "./testing.ts";

const database = useDatabase();
const faults: unknown[] = [];
let committer: Committer;

/** Takes one from a jar that has at least one left. Tells how many are left then. */
const take = defineGuard<{ id: string }>({
  name: "take",
  columns: [["id", "text"]],
  hold: (rows) => `update jars j set n = n - 1 from
    (select g.claim, j.ctid as place from ${rows} g join jars j on j.id = g.id where j.n > 0 for update of j skip locked) h
    where j.ctid = h.place returning h.claim, j.n::text as told`,
});
const notes = defineAppendTable<{ text: string }>({ table: "notes", columns: [["text", "text"]] });
/** Notes that stand already stay; how many came stands beside them. */
const counted = defineAppendTable<{ text: string }>({
  table: "counted notes",
  columns: [["text", "text"]],
  write: (rows) => `insert into notes (text) select text from ${rows} r on conflict do nothing returning text`,
  also: (written) => `update jars set n = n + (select count(*) from ${written}) where id = 'count'`,
});

function call(jar: string | null, text: string, table = notes): CallWrites & { readonly heard: string[] } {
  const record = sampleRecord(production);
  const heard: string[] = [];
  return {
    ...(jar === null
      ? {}
      : { guard: { guard: take as never, row: { id: jar }, told: (told: string) => heard.push(told) } }),
    record: {
      ...production,
      id: record.id,
      body: JSON.stringify(record),
      context: null,
      saltId: "salt",
      newSalt: null,
    },
    ...{
      rows: [{ table: table as never, row: { text } }],
      events: [],
      jobs: [],
      newEventId: () => newId("evt"),
      heard,
    },
  };
}

const append = (...calls: CallWrites[]) => Promise.all(calls.map((one) => committer.append(one)));
const column = async (text: string): Promise<unknown[]> =>
  (await database.pool.query({ text, rowMode: "array" })).rows.map(([value]: unknown[]) => value);
const noted = () => column("select text from notes order by text");
const left = () => column("select n from jars order by id");

beforeAll(async () => {
  await database.pool.query(
    "create table jars (id text primary key, n int not null); create table notes (text text primary key)",
  );
  const report = (error: unknown) => faults.push(error);
  const connection = { connectionString: database.connectionString };
  committer = createCommitter({
    connection,
    writer: testWriter,
    committed: () => undefined,
    report,
    pipelined: { statements: 1, calls: 1 },
    uniform: true,
  });
});
afterAll(async () => {
  await committer.stop();
  expect(faults).toEqual([]);
});
beforeEach(async () => {
  await asDatabaseOwner(database.pool, (owner) =>
    owner.query("truncate jars, notes, audit_records; insert into jars values ('full', 5), ('last', 1), ('void', 0)"),
  );
});

describe("calls under guards", () => {
  it("are written together, each with its record, where what they need holds, and hear what it says", async () => {
    await append(call(null, "first")); // while this one is under way the others gather
    const calls = [call("full", "a"), call("last", "b"), call(null, "c")];
    expect(await append(...calls)).toEqual(["written", "written", "written"]);
    expect([await noted(), await left()]).toEqual([
      ["a", "b", "c", "first"],
      [4, 0, 0],
    ]);
    expect(calls.map(({ heard }) => heard)).toEqual([["4"], ["0"], []]);
    expect(await column("select count(*)::int from audit_records")).toEqual([4]);
  });

  it("leave nothing behind where it does not hold, and harm no other", async () => {
    expect(await append(call("void", "a"), call("missing", "b"), call("full", "c"), call(null, "d"))).toEqual([
      "lost",
      "lost",
      "written",
      "written",
    ]);
    expect([await noted(), await left()]).toEqual([
      ["c", "d"],
      [4, 1, 0],
    ]);
    expect(await column("select count(*)::int from audit_records")).toEqual([2]);
  });

  it("are lost, and wait for nobody, where somebody else holds the row", async () => {
    const other = await database.pool.connect();
    try {
      await other.query("begin; select from jars where id = 'full' for update");
      expect(await append(call("full", "a"), call("last", "b"))).toEqual(["lost", "written"]);
    } finally {
      await other.query("rollback");
      other.release();
    }
    expect([await noted(), await left()]).toEqual([["b"], [5, 0, 0]]);
  });

  it("win once where several need the same row in one statement", async () => {
    void committer.append(call(null, "first"));
    const fates = await append(...["a", "b", "c"].map((text) => call("last", text)));
    expect(fates.toSorted()).toEqual(["lost", "lost", "written"]);
    expect(await noted()).toEqual([["a", "b", "c"][fates.indexOf("written")], "first"]);
    expect(await left()).toEqual([5, 0, 0]);
  });

  it("are repeated one by one where a row of one is refused", async () => {
    void committer.append(call(null, "first"));
    await database.pool.query("insert into jars values ('more', 2)");
    expect(
      await Promise.allSettled([call("full", "a"), call("last", "first"), call("more", "b")].map(committer.append)),
    ).toMatchObject([{ value: "written" }, { reason: { code: "23505" } }, { value: "written" }]);
    expect([await noted(), await left()]).toEqual([
      ["a", "b", "first"],
      [4, 1, 1, 0],
    ]);
  });
});

describe("a table that is written in its own way", () => {
  it("takes rows as it says, and does what it says with what came of them", async () => {
    await database.pool.query("insert into jars values ('count', 0); insert into notes values ('old')");
    expect(
      await append(call("full", "old", counted), call("void", "lost", counted), call("full", "new", counted)),
    ).toContain("written");
    expect(await noted()).toEqual(["new", "old"]);
    expect(await column("select n from jars where id = 'count'")).toEqual([1]);
  });
});
