import { compileQuery } from "@aos/json-schema";
import fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import {
  type CursorBinding,
  type CursorResult,
  decodeCursor,
  encodeCursor,
  nextLink,
  type Page,
  type Position,
  pageOf,
  pageParameters,
} from "./page.ts";

const key = Buffer.alloc(32, 7);
const binding: CursorBinding = {
  operation: "tasks.listTasks",
  filter: { status: ["queued", "running"], agent: undefined },
  sort: "-created_at",
  scope: { organization: "default", environment: "development" },
};
const position: Position = { keys: ["2026-01-02T03:04:05.678Z"], id: "tsk_01" };

describe("cursors", () => {
  it("give back the position they were made from", () => {
    const sortKey = fc.oneof(
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
      fc.constant(null),
    );
    fc.assert(
      fc.property(
        fc.array(sortKey, { maxLength: 3 }),
        fc.string(),
        fc.option(fc.nat(), { nil: undefined }),
        (keys, id, asOf) => {
          const given: Position = asOf === undefined ? { keys, id } : { keys, id, as_of: asOf };
          expect(decodeCursor(encodeCursor(given, binding, key), binding, key)).toEqual({ ok: true, position: given });
        },
      ),
    );
  });

  it("survive no change of a single character", () => {
    const cursor = encodeCursor(position, binding, key);
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(..."ABCXYZabcxyz0189-_=.+ é"), (at, char) => {
        const place = at % cursor.length;
        fc.pre(cursor[place] !== char);
        const changed = cursor.slice(0, place) + char + cursor.slice(place + 1);
        expect(decodeCursor(changed, binding, key)).toMatchObject({
          ok: false,
          fault: { parameter: "cursor", code: "invalid_cursor" },
        });
      }),
    );
  });

  it("are refused in any other list, with the reason", () => {
    const cursor = encodeCursor(position, binding, key);
    const others: CursorBinding[] = [
      { ...binding, operation: "approvals.listApprovals" },
      { ...binding, filter: { status: ["queued"] } },
      { ...binding, sort: "created_at" },
      { ...binding, scope: { organization: "default", environment: "production" } },
      { ...binding, scope: { organization: "other", environment: "development" } },
    ];
    for (const other of others)
      expect(decodeCursor(cursor, other, key)).toMatchObject({ ok: false, fault: { code: "cursor_of_another_list" } });
    expect(decodeCursor(cursor, { ...binding, filter: { status: ["queued", "running"] } }, key).ok).toBe(true);
  });

  it("are refused under another key, cut short, empty, and when endless", () => {
    const cursor = encodeCursor(position, binding, key);
    expect(decodeCursor(cursor, binding, Buffer.alloc(32, 8)).ok).toBe(false);
    for (const text of ["", "A", cursor.slice(0, 20), cursor.slice(0, -4), "A".repeat(100_000)])
      expect(decodeCursor(text, binding, key).ok).toBe(false);
  });

  it("do not show the filter they were made for", () => {
    const secret = { ...binding, filter: { label: "project-x" } };
    expect(Buffer.from(encodeCursor(position, secret, key), "base64url").toString("latin1")).not.toContain("project-x");
  });
});

interface Row {
  created: number;
  id: string;
}
const before = (a: Row, at: Position) =>
  a.created < (at.keys[0] as number) || (a.created === at.keys[0] && a.id < at.id);
const newestFirst = (a: Row, b: Row) => b.created - a.created || (a.id < b.id ? 1 : -1);

describe("pages", () => {
  it("show every item that was there at the start exactly once, whatever is created in between", () => {
    const rows = fc.uniqueArray(
      fc.record({
        created: fc.nat(5),
        id: fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 4 }),
      }),
      { selector: (row) => row.id, maxLength: 30 },
    );
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 7 }), (start, limit) => {
        const table = [...start];
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const at: CursorResult | null = cursor === null ? null : decodeCursor(cursor, binding, key);
          const from: Position | null = at?.ok ? at.position : null;
          const found = table
            .filter((row) => from === null || before(row, from))
            .sort(newestFirst)
            .slice(0, limit + 1);
          const page: Page<Row> = pageOf(
            found,
            limit,
            (row) => ({ keys: [row.created], id: row.id }),
            (last) => encodeCursor(last, binding, key),
          );
          seen.push(...page.data.map((row) => row.id));
          expect(page.has_more).toBe(page.next_cursor !== null);
          cursor = page.next_cursor;
          table.push({ created: 9, id: `new${table.length}` });
        } while (cursor !== null);
        expect(seen).toEqual([...start].sort(newestFirst).map((row) => row.id));
      }),
    );
  });

  it("take a limit from 1 to 100, 25 when absent, and a cursor", () => {
    const read = compileQuery(Type.Object(pageParameters, { additionalProperties: false }));
    expect(read(new URLSearchParams(""))).toEqual({ value: { limit: 25 }, faults: [] });
    expect(read(new URLSearchParams("limit=1&cursor=abc"))).toEqual({ value: { limit: 1, cursor: "abc" }, faults: [] });
    expect(read(new URLSearchParams("limit=100")).faults).toEqual([]);
    for (const text of ["0", "101", "-1", "1.5", "", "ten", "1e1", " 5", "99999999999999999999"]) {
      expect(read(new URLSearchParams({ limit: text })).faults, text).toMatchObject([{ parameter: "limit" }]);
    }
  });

  it("link to the next page with the same filter", () => {
    expect(nextLink("/v1/tasks", { status: "queued,running", cursor: "old", limit: undefined }, "new")).toBe(
      '</v1/tasks?status=queued%2Crunning&cursor=new>; rel="next"',
    );
    expect(nextLink("/v1/tasks", {}, null)).toBeNull();
  });
});
