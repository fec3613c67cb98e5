import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toHex } from "./bytes.ts";
import { commit, commitmentOf, openingOf, openingsOf } from "./commitments.ts";
import { type AuditRecord, buildRecordBody, withKeySeq } from "./record.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.constantFrom('"key_seq":null', '\\"key_seq\\":null', "\u2028\u007f\u0000\ud83d\ude00"),
);
const optional = fc.option(text, { nil: null });
const record: fc.Arbitrary<AuditRecord> = fc.record({
  address: optional,
  approval_id: optional,
  code: optional,
  environment: text,
  id: text,
  key_id: optional,
  key_seq: fc.constant(null),
  object: optional,
  operation: text,
  organization: text,
  outcome: fc.constantFrom("allowed", "refused", "failed"),
  principal: text,
  request: optional,
  request_id: text,
  response: optional,
  stages: fc.array(
    fc.record({ policy_version: optional, reasons: fc.array(text, { maxLength: 3 }), stage: text, verdict: text }),
    {
      maxLength: 4,
    },
  ),
  status: fc.integer(),
  task_id: optional,
  time: text,
  trust_score: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: null }),
  version: fc.constant(1 as const),
});

describe("the text of a record", () => {
  it("is what an independent implementation of RFC 8785 writes", () => {
    fc.assert(fc.property(record, (r) => void expect(buildRecordBody(r)).toBe(canonicalize(r))));
  });

  it("takes the key's number in the one place where it is open, whatever its strings hold", () => {
    fc.assert(
      fc.property(record, fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (r, sequence) => {
        expect(withKeySeq(buildRecordBody(r), sequence)).toBe(canonicalize({ ...r, key_seq: sequence }));
      }),
    );
  });

  it("replaces a lone surrogate, which canonical JSON cannot carry", () => {
    const [one] = fc.sample(record, 1);
    expect(JSON.parse(buildRecordBody({ ...(one as AuditRecord), principal: "a\ud800b" })).principal).toBe("a\ufffdb");
  });

  it("refuses numbers that JSON cannot carry and a place that is taken", () => {
    const [one] = fc.sample(record, 1);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => buildRecordBody({ ...(one as AuditRecord), trust_score: bad })).toThrow(RangeError);
    const done = withKeySeq(buildRecordBody({ ...(one as AuditRecord), stages: [] }), 7);
    expect(() => withKeySeq(done, 8)).toThrow("no open key_seq");
    for (const bad of [0, -1, 1.5, Number.NaN])
      expect(() => withKeySeq(buildRecordBody(one as AuditRecord), bad)).toThrow(RangeError);
  });
});

describe("a commitment", () => {
  it("is what sha256sum makes of opening and value as text", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex),
        fc.string({ unit: "binary" }),
        (salt, value) => {
          const opening = openingOf(salt, "aud_x", "request");
          expect(opening).toMatch(/^[0-9a-f]{32}$/);
          expect(commit(salt, "aud_x", "request", value)).toBe(
            createHash("sha256").update(opening).update(value).digest("hex"),
          );
        },
      ),
    );
  });

  it("opens with its own opening and value only", () => {
    const bytes = new Uint8Array(32).fill(7);
    const salt = toHex(bytes);
    const id = "aud_01jd0000000000000000000000";
    const record = {
      id,
      address: commit(salt, id, "address", "192.0.2.1"),
      request: null,
      response: commit(salt, id, "response", "digest"),
    };
    const openings = openingsOf(bytes, record);
    expect(Object.keys(openings)).toEqual(["address", "response"]);
    const open = (opening: string | undefined, value: string): string => commitmentOf(opening as string, value);
    expect(open(openings.address, "192.0.2.1")).toBe(record.address);
    expect(open(openings.address, "192.0.2.2")).not.toBe(record.address);
    expect(open(openings.response, "192.0.2.1")).not.toBe(record.address);
  });

  it("differs between records, fields and subjects for the same value", () => {
    const salts = ["01".repeat(32), "02".repeat(32)] as const;
    const all = [
      commit(salts[0], "aud_a", "address", "v"),
      commit(salts[0], "aud_b", "address", "v"),
      commit(salts[0], "aud_a", "request", "v"),
    ];
    expect(new Set([...all, commit(salts[1], "aud_a", "address", "v")]).size).toBe(4);
  });
});
