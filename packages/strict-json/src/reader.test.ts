import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonFaultCode } from "./faults.ts";
import { faultsOf } from "./faults.ts";
import { ORDINARY_LIMITS, readStrictJson } from "./reader.ts";

const limits = { ...ORDINARY_LIMITS, members: 100_000, values: 600_000 };
const read = (text: string) => readStrictJson(Buffer.from(text, "utf8"), limits);

function faultOf(bytes: Buffer | string) {
  const result = readStrictJson(typeof bytes === "string" ? Buffer.from(bytes, "utf8") : bytes, limits);
  if (result.ok) throw new Error("expected a fault");
  return result.fault;
}

/** Whether RFC 7493 leaves a value alone that JSON.parse would give. */
function isIJson(value: unknown): boolean {
  if (typeof value === "string")
    return value.isWellFormed() && !value.includes("\0") && !/\p{Noncharacter_Code_Point}/u.test(value);
  if (typeof value === "number") return Number.isSafeInteger(value) || !/^-?\d+$/.test(JSON.stringify(value));
  if (Array.isArray(value)) return value.every(isIJson);
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).every(([name, item]) => name !== "__proto__" && isIJson(name) && isIJson(item));
  }
  return true;
}

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('"', "\\", "/", "\n", "\u0007", "é", "€", "😀", "a", ":", "{", ","),
    fc.string({ maxLength: 1 }),
  ),
});
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ depthSize: "small", withCrossShrink: true }, tie("leaf"), tie("array"), tie("object")),
  leaf: fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    anyText,
  ),
  array: fc.array(tie("tree"), { maxLength: 4 }),
  object: fc.dictionary(anyText, tie("tree"), { maxKeys: 4 }),
}));

describe("reading a body as I-JSON", () => {
  it("gives what JSON.parse gives for every valid text", () => {
    fc.assert(
      fc.property(tree, fc.constantFrom(undefined, 1, "\t", "\r\n "), fc.boolean(), (value, indent, escaped) => {
        const plain = JSON.stringify(value, null, indent);
        const text = escaped
          ? plain.replaceAll(/[^\n\r\t -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
          : plain;
        const result = read(text);
        fc.pre(isIJson(JSON.parse(text)));
        expect(result).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it("agrees with its own careful pass and with JSON.parse on any mutilated text", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"b"',
      '"\\u0061"',
      "1",
      "-0.5",
      "1e2",
      "1e999",
      "0123",
      "true",
      " ",
      "\n",
      "nul",
      '"',
      "\\",
      "__proto__",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces, { maxLength: 14 }).map((list) => list.join("")),
          fc.json(),
        ),
        fc.nat(),
        fc.string({ maxLength: 2 }),
        (text, at, inserted) => {
          const place = at % (text.length + 1);
          const changed = text.slice(0, place) + inserted + text.slice(place);
          fc.pre(changed.isWellFormed());
          const result = read(changed);
          expect(result.ok).toBe(faultsOf(changed, limits).length === 0);
          let parsed: unknown;
          try {
            parsed = JSON.parse(changed);
          } catch {
            expect(result.ok).toBe(false);
            expect(result).toMatchObject({ fault: { status: 400 } });
            return;
          }
          if (result.ok) expect(result.value).toEqual(parsed);
          else if (result.fault.status === 400) expect(result.fault.code).toBe("too_deep");
        },
      ),
    );
  });

  it("tells of the faults of a body in a small part of its length, however long its names are", () => {
    const text = `{"${"~".repeat(400_000)}": {"${"/".repeat(400_000)}": [${Array(100).fill("1e999").join(",")}]}}`;
    const read = readStrictJson(Buffer.from(text));
    expect(read.ok).toBe(false);
    expect(JSON.stringify(read).length).toBeLessThan(30_000);
  });

  it("refuses each kind of hostile text with its own code, pointer and place", () => {
    const corpus: [string, JsonFaultCode, string, number, number][] = [
      ["", "empty_body", "", 1, 1],
      [" \n ", "empty_body", "", 2, 2],
      ["\uFEFF{}", "byte_order_mark", "", 1, 1],
      ['{"a":1,"a":2}', "duplicate_name", "/a", 1, 8],
      ['{"a":1,"\\u0061":2}', "duplicate_name", "/a", 1, 8],
      ['{\n  "x": [0, {"k/e~y": 1,\n "k/e~y": 1}]\n}', "duplicate_name", "/x/1/k~1e~0y", 3, 2],
      ['{"a":{"b":"x\\u0000"}}', "nul_character", "/a/b", 1, 11],
      ['{"a":["\\ud800"]}', "lone_surrogate", "/a/0", 1, 7],
      ['{"\\udc00":1}', "lone_surrogate", "", 1, 2],
      ['["\uFFFF"]', "noncharacter", "/0", 1, 2],
      ['["\\ud83f\\udffe"]', "noncharacter", "/0", 1, 2],
      ['{"n":1e400}', "number_out_of_range", "/n", 1, 6],
      ['{"n":-1e400}', "number_out_of_range", "/n", 1, 6],
      ['{"n":9007199254740992}', "number_out_of_range", "/n", 1, 6],
      ["[1,100000000000000000000]", "number_out_of_range", "/1", 1, 4],
      ['{"__proto__":{"admin":true}}', "forbidden_name", "/__proto__", 1, 2],
      ['{"\\u005f_proto__":1}', "forbidden_name", "/__proto__", 1, 2],
      ["[".repeat(33) + "]".repeat(33), "too_deep", "/0".repeat(32), 1, 33],
      ["[".repeat(1_000_000), "too_deep", "/0".repeat(32), 1, 33],
      ["{} {}", "trailing_text", "", 1, 4],
      ["1 2", "trailing_text", "", 1, 3],
      ["null\u0000", "trailing_text", "", 1, 5],
      ['{"é😀":"x', "syntax", "/é😀", 1, 9],
      ['{"a":1,}', "syntax", "/a", 1, 8],
      ["[1,]", "syntax", "/1", 1, 4],
      ["[01]", "syntax", "/0", 1, 3],
      ["[1.]", "syntax", "/0", 1, 3],
      ["[.5]", "syntax", "/0", 1, 2],
      ["[+1]", "syntax", "/0", 1, 2],
      ["[-]", "syntax", "/0", 1, 2],
      ["NaN", "syntax", "", 1, 1],
      ["[Infinity]", "syntax", "/0", 1, 2],
      ["{'a':1}", "syntax", "", 1, 2],
      ["{a:1}", "syntax", "", 1, 2],
      ['{"a" 1}', "syntax", "/a", 1, 6],
      ['["\\x41"]', "syntax", "/0", 1, 3],
      ['["\\u12g4"]', "syntax", "/0", 1, 3],
      ['["a\nb"]', "syntax", "/0", 1, 4],
      ["[1}", "syntax", "/0", 1, 3],
      ["{]", "syntax", "", 1, 2],
      ["/* no */ 1", "syntax", "", 1, 1],
      ["[1", "syntax", "/0", 1, 3],
    ];
    for (const [text, code, pointer, line, column] of corpus) {
      expect(faultOf(text), text.slice(0, 40)).toMatchObject({ code, pointer, line, column });
    }
  });

  it("refuses bytes that are no UTF-8 and says where", () => {
    const invalid = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80]];
    for (const bytes of invalid) {
      for (const filler of [0, 4095, 4096, 10_000]) {
        const start = Buffer.from(`{"é":1,\n"é😀":"${"€".repeat(filler)}`);
        const body = Buffer.concat([start, Buffer.from(bytes), Buffer.from('"}')]);
        expect(faultOf(body)).toMatchObject({
          code: "not_utf8",
          status: 400,
          pointer: "/é😀",
          line: 2,
          column: 7 + filler,
        });
      }
    }
  });

  it("finds the first bad byte wherever it stands", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), fc.constantFrom(0xff, 0xc1, 0xf8), (text, bad) => {
        const before = Buffer.from(text.toWellFormed());
        const fault = faultOf(Buffer.concat([before, Buffer.from([bad]), Buffer.from("tail")]));
        expect(fault.detail).toContain(`byte ${before.length} `);
      }),
    );
  });

  it("reports every fault of content at once, broken syntax first", () => {
    const several = read('{"a":1,"a":2,"b":1e999,"c":"\\u0000"}');
    expect(several).toMatchObject({
      ok: false,
      fault: { code: "duplicate_name", status: 422 },
      faults: [{ code: "duplicate_name" }, { code: "number_out_of_range" }, { code: "nul_character" }],
    });
    expect(faultOf('{"a":1,"a":2,')).toMatchObject({ code: "syntax", status: 400 });
    const many = read(`[${"1e999,".repeat(50)}`);
    expect(many).toMatchObject({ ok: false, fault: { code: "syntax" } });
    expect(many.ok ? 0 : many.faults.length).toBe(20);
  });

  it("accepts 32 levels, the largest safe whole numbers and fractions of any length", () => {
    expect(read("[".repeat(32) + "]".repeat(32)).ok).toBe(true);
    expect(read("[9007199254740991,-9007199254740991,1e300,0.1234567890123456789,-0,1E-400]").ok).toBe(true);
    expect(read('{"constructor":1,"toString":2,"":3,"10":4,"2":5}')).toMatchObject({
      ok: true,
      value: { constructor: 1, "": 3 },
    });
  });

  it("accepts JSON of one scalar, and pairs of surrogates written as escapes", () => {
    expect(read(' "\\ud83d\\ude00" ')).toEqual({ ok: true, value: "😀" });
    expect(read("0")).toEqual({ ok: true, value: 0 });
  });

  it("echoes no value of the body in what it says", () => {
    expect(JSON.stringify(faultOf('{"password":"hunter2","password":"hunter2"}'))).not.toContain("hunter2");
    expect(JSON.stringify(faultOf('{"password":hunter2}'))).not.toContain("hunter2");
  });

  it("reads a hostile body of 1 MiB without growing slow", () => {
    const shapes = [
      `[${"1e999,".repeat(170_000)}1]`,
      `{${Array.from({ length: 90_000 }, (_, n) => `"k${n}":1`).join(",")},"k0":1}`,
      `["${"\\u0041".repeat(170_000)}"]`,
      `["${"\\n".repeat(500_000)}`,
      `[${"\n".repeat(1_000_000)}1e999]`,
    ];
    for (const shape of shapes) {
      const body = Buffer.from(shape);
      const start = performance.now();
      readStrictJson(body, limits);
      // Measured at 20 to 250 ms; a quadratic reading of a million characters would take minutes.
      expect(performance.now() - start).toBeLessThan(5000);
    }
  });
});

describe("what a text may hold", () => {
  const small = { depth: 4, members: 3, values: 8 };
  const faultWithin = (text: string) => {
    const result = readStrictJson(Buffer.from(text), small);
    return result.ok ? null : result.fault;
  };

  it("is taken up to the last member of an object and the last value", () => {
    for (const text of [
      '{"a":1,"b":2,"c":3}',
      "[1,2,3,4,5,6,7]",
      "[[],[],[],[],[],[],[]]",
      '[{"a":1,"b":2},{"a":1,"b":2}, 7]',
      '["a,b,c:d,e,f{[,,,,,,"]',
    ])
      expect(faultWithin(text), text).toBeNull();
  });

  it("is refused at the first member too many, with the object, the bound and what to do", () => {
    expect(faultWithin('{"x":[{"a":1,"b":2,"c":3,"d":4}]}')).toEqual({
      code: "too_many_members",
      status: 413,
      pointer: "/x/0",
      line: 1,
      column: 26,
      detail:
        "An object has more than 3 members, and at most 3 are read. Split it, or put what is of one kind into a list.",
    });
    expect(faultWithin('{"a":1,"a":2,"a":3,"a":4}')?.code).toBe("too_many_members");
  });

  it("is refused at the first value too many", () => {
    expect(faultWithin('{"x":[1,2,3,4,5,6,7]}')).toMatchObject({
      code: "too_many_values",
      status: 413,
      pointer: "/x/6",
    });
    expect(faultWithin("[[1,2],[3,4],[5,6]]")).toMatchObject({ code: "too_many_values", pointer: "/2/0" });
  });

  it("is bounded unless more is asked for", () => {
    const wide = (members: number) =>
      Buffer.from(JSON.stringify(Object.fromEntries(Array.from({ length: members }, (_, at) => [`m${at}`, at]))));
    expect(readStrictJson(wide(1_000)).ok).toBe(true);
    expect(readStrictJson(wide(1_001)).ok).toBe(false);
    expect(readStrictJson(Buffer.from(`[${"1,".repeat(10_000)}1]`)).ok).toBe(false);
  });

  it("counts the same in the quick pass as in the careful one", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const text = JSON.stringify(value);
        expect(readStrictJson(Buffer.from(text), small).ok).toBe(faultsOf(text, small).length === 0);
      }),
    );
  });

  it("reads no further than the excess", () => {
    expect(faultWithin('{"a":1,"b":2,"c":3,"d":4,,,')).toMatchObject({ code: "too_many_members" });
  });
});
