import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvHead, csvRow, isOpenCsv, readCsvRow } from "./csv-row.ts";
import { auditRecord } from "./record.fixture.ts";
import { type AuditRecord, buildRecordBody } from "./record.ts";

/** Reads a CSV text as RFC 4180, section 2 has it: records of cells. Strict: what is not of the grammar is an error. */
function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const cells: string[] = [];
    for (;;) {
      const cell = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(text.slice(at));
      if (!cell) throw new Error(`no CSV at ${at}: ${JSON.stringify(text.slice(at, at + 20))}`);
      at += cell[0].length;
      cells.push(cell[1]?.replaceAll('""', '"') ?? (cell[2] as string));
      if (cell[3] === "\r\n") break;
    }
    records.push(cells);
  }
  return records;
}

const lineOf = (leafData: string): string => csvRow({ leafIndex: 7, leafData, skipped: "AAAA" });
const rowOf = (members: Partial<AuditRecord> = {}): Record<string, string> => {
  const [head = [], cells = []] = readCsv(csvHead + lineOf(buildRecordBody(auditRecord(members))));
  expect(cells).toHaveLength(head.length);
  return Object.fromEntries(head.map((name, i) => [name, cells[i] as string]));
};

describe("an export as a table", () => {
  it("has a row for each record, with all that the record holds", () => {
    expect(rowOf()).toEqual({
      leaf_index: "7",
      audit_ref: "aud_01jd8x0000000000000000000b",
      time: "2026-05-03T09:00:00.123Z",
      actor: "mbr_1",
      key_id: "key_1",
      key_seq: "3",
      action: "agents.dispatchTask",
      object: "agent:sales",
      task_id: "tsk_1",
      approval_id: "apr_1",
      decision: "allowed",
      status: "202",
      code: "",
      trust_score: "0.8125",
      request_id: "req_1",
      permissions: "allow",
      permissions_reasons: "role:operator",
      evaluation_gate: "allow",
      evaluation_gate_reasons: "gate:missing",
      compliance: "allow",
      compliance_reasons: "first; second",
      audit: "recorded",
      audit_reasons: "",
      policy_version: "pol_1@2",
      address_commitment: "aa",
      request_commitment: "bb",
      response_commitment: "",
      skipped: "AAAA",
      leaf_data: buildRecordBody(auditRecord()),
    });
  });

  it("lets no spreadsheet take a cell for a formula", () => {
    for (const start of ["=", "+", "-", "@", "\t", "\r"]) {
      const object = `${start}cmd|'/c calc'!A1`;
      expect(rowOf({ object }).object).toBe(`'${object}`);
    }
    expect(rowOf({ object: "a=1" }).object).toBe("a=1");
    expect(rowOf({ object: "'quoted" }).object).toBe("'quoted");
  });

  it("stays one record of the same cells whatever a record holds, and is read back", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', ",", "\r", "\n", ";", " ", "=", "ü", "a"), maxLength: 12 }),
        (object) => {
          const told = rowOf({ object, code: object }).object as string;
          expect(told).toBe(/^[=\r]/.test(object) ? `'${object}` : object);
          const leafData = buildRecordBody(auditRecord({ object }));
          expect(readCsvRow(lineOf(leafData))).toEqual({ leafIndex: 7, leafData, skipped: "AAAA" });
          expect(isOpenCsv(lineOf(leafData))).toBe(false);
        },
      ),
    );
  });

  it("is not read where it is no row of such a table", () => {
    const line = lineOf(buildRecordBody(auditRecord()));
    for (const text of [
      line.slice(0, -1),
      `1,${line}`,
      line.replace("7", "07"),
      line.replace("7", "-7"),
      `"${line}`,
      line.replace(",", '",'),
    ]) {
      expect(readCsvRow(text), text).toBeUndefined();
    }
  });

  it("carries on a text that is no record as unknown", () => {
    const [cells = []] = readCsv(lineOf("not JSON"));
    expect([...cells.slice(0, 4), cells.at(-1)]).toEqual([
      "7",
      "unknown",
      "1970-01-01T00:00:00.000Z",
      "unknown",
      "not JSON",
    ]);
  });
});
