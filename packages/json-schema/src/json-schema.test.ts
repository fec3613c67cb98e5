import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { compileQuery, compileSchema } from "./index.ts";

const dispatch = Type.Object(
  {
    task: Type.String({ minLength: 1, maxLength: 10 }),
    lead_id: Type.String({ pattern: "^ld_" }),
    require_approval: Type.Optional(Type.Boolean()),
    priority: Type.Optional(Type.Union([Type.Literal("low"), Type.Literal("normal"), Type.Literal("high")])),
    deadline: Type.Optional(Type.String({ format: "date-time" })),
    labels: Type.Optional(Type.Array(Type.String(), { maxItems: 2, uniqueItems: true })),
    amount: Type.Optional(Type.Union([Type.Number({ minimum: 0 }), Type.Null()])),
  },
  { additionalProperties: false },
);

describe("a compiled schema", () => {
  const validate = compileSchema(dispatch, { coerce: false });

  it("has no fault to find in a valid body, and leaves it as it was", () => {
    const body = Object.freeze({
      task: "qualify",
      lead_id: "ld_1",
      require_approval: true,
      priority: "low",
      amount: null,
      labels: ["a"],
    });
    expect(validate(body)).toEqual([]);
    expect(validate({ task: "x", lead_id: "ld_" })).toEqual([]);
  });

  it("names every fault of a body at once, with pointer, code, rule and remedy", () => {
    const faults = validate({
      task: "",
      lead_id: 7,
      require_aproval: true,
      deadline: "tomorrow",
      labels: ["a", "a", 3],
      priority: "urgent",
      amount: -1,
    });
    expect([...faults].sort((a, b) => (a.pointer < b.pointer ? -1 : 1))).toEqual(
      [
        { pointer: "/amount", code: "too_small", detail: "must be at least 0" },
        {
          pointer: "/deadline",
          code: "format",
          detail: "must be a time as RFC 3339 writes it, such as 2026-01-31T14:30:00Z",
        },
        { pointer: "/labels", code: "too_many_items", detail: "must have at most 2 items" },
        { pointer: "/labels", code: "duplicate_items", detail: "must not hold an item twice; items 1 and 0 are equal" },
        { pointer: "/labels/2", code: "type", detail: "must be text" },
        { pointer: "/lead_id", code: "type", detail: "must be text" },
        { pointer: "/priority", code: "not_allowed", detail: "must be one of `low`, `normal`, `high`" },
        {
          pointer: "/require_aproval",
          code: "unknown_field",
          detail: "is not known here; did you mean `require_approval`?",
        },
        { pointer: "/task", code: "too_short", detail: "must have at least 1 character" },
      ].sort((a, b) => (a.pointer < b.pointer ? -1 : 1)),
    );
  });

  it("points at a missing field itself", () => {
    expect(validate({})).toEqual([
      { pointer: "/task", code: "required", detail: "is required; add it" },
      { pointer: "/lead_id", code: "required", detail: "is required; add it" },
    ]);
    expect(validate("text")).toEqual([{ pointer: "", code: "type", detail: "must be an object" }]);
  });

  it("coerces nothing", () => {
    expect(validate({ task: 1, lead_id: "ld_1", require_approval: "true" }).map((fault) => fault.pointer)).toEqual([
      "/task",
      "/require_approval",
    ]);
  });

  it("repeats no value of the body", () => {
    const faults = validate({
      task: "hunter2-hunter2",
      lead_id: "hunter2",
      priority: "hunter2",
      deadline: "hunter2",
      labels: ["hunter2", "hunter2"],
    });
    expect(faults.length).toBe(5);
    expect(JSON.stringify(faults)).not.toContain("hunter2");
  });

  it("lists the known fields where none is near, and escapes pointers", () => {
    const small = compileSchema(Type.Object({ a: Type.Optional(Type.String()) }, { additionalProperties: false }));
    expect(small({ "x/y~z": 1 })).toEqual([
      { pointer: "/x~1y~0z", code: "unknown_field", detail: "is not known here; leave it out. Known are `a`" },
    ]);
  });

  it("reports the faults of the branch that was meant", () => {
    const union = compileSchema(
      Type.Union([
        Type.Object(
          { kind: Type.Literal("http"), url: Type.String({ format: "uri" }) },
          { additionalProperties: false },
        ),
        Type.Object({ kind: Type.Literal("record"), base: Type.String() }, { additionalProperties: false }),
      ]),
    );
    expect(union({ kind: "http", url: "nowhere" })).toEqual([
      { pointer: "/url", code: "format", detail: "must be an absolute address such as https://example.com/path" },
    ]);
    expect(union({ kind: "record" })).toEqual([{ pointer: "/base", code: "required", detail: "is required; add it" }]);
    expect(union({ kind: "other" })).toEqual([
      { pointer: "", code: "no_variant", detail: "fits none of the allowed forms; see the schema of this field" },
    ]);
    expect(union({ kind: "record", base: "b" })).toEqual([]);
  });

  it("follows references into branches, and says when several forms fit", () => {
    const schema = {
      $defs: { n: { type: "integer", minimum: 5 } },
      type: "object",
      properties: {
        a: { anyOf: [{ $ref: "#/$defs/n" }, { type: "null" }] },
        b: { oneOf: [{ type: "number" }, { type: "integer" }] },
      },
    };
    expect(compileSchema(schema)({ a: 1 })).toEqual([
      { pointer: "/a", code: "too_small", detail: "must be at least 5" },
    ]);
    expect(compileSchema(schema)({ b: 1 })).toEqual([
      { pointer: "/b", code: "no_variant", detail: "fits several of the allowed forms; make it fit exactly one" },
    ]);
  });

  it("blames the consequence, not the condition", () => {
    const consequence = ["then", { required: ["b"] }] as const;
    const schema = {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      if: { required: ["a"] },
      ...Object.fromEntries([consequence]),
    };
    expect(compileSchema(schema)({ a: "" })).toEqual([
      { pointer: "/b", code: "required", detail: "is required; add it" },
    ]);
  });

  it("takes annotations that begin with x- and refuses words that are none of JSON Schema", () => {
    expect(compileSchema({ type: "string", "x-data-class": "personal", example: "a" })(1)).toHaveLength(1);
    expect(() => compileSchema({ type: "string", maxLenght: 3 })).toThrow("maxLenght");
  });

  it("stops at the first fault of a huge body instead of making one per item", () => {
    const list = compileSchema({ type: "array", items: { type: "string" } });
    expect(list(Array.from({ length: 200 }, () => 1))).toHaveLength(100);
    expect(list(Array.from({ length: 100_000 }, () => 1))).toEqual([
      { pointer: "/0", code: "type", detail: "must be text" },
    ]);
  });
});

describe("a compiled query", () => {
  const status = Type.Union([Type.Literal("queued"), Type.Literal("running")]);
  const read = compileQuery(
    Type.Object(
      {
        limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
        status: Type.Optional(Type.Array(status)),
        trust_below: Type.Optional(Type.Number()),
        archived: Type.Optional(Type.Boolean()),
        sort: Type.Optional(Type.Union([Type.Literal("created_at"), Type.Literal("-created_at")])),
        created_after: Type.Optional(Type.String({ format: "date-time" })),
      },
      { additionalProperties: false },
    ),
  );
  const query = (text: string) => read(new URLSearchParams(text));

  it("reads values by their types, lists by commas, and fills in what is left out", () => {
    expect(query("")).toEqual({ value: { limit: 25 }, faults: [] });
    expect(
      query(
        "limit=3&status=queued,running&trust_below=0.5&archived=false&sort=-created_at&created_after=2026-01-31T00:00:00Z",
      ),
    ).toEqual({
      value: {
        limit: 3,
        status: ["queued", "running"],
        trust_below: 0.5,
        archived: false,
        sort: "-created_at",
        created_after: "2026-01-31T00:00:00Z",
      },
      faults: [],
    });
  });

  it("refuses unknown names with the nearest valid one", () => {
    expect(query("limt=3").faults).toEqual([
      { parameter: "limt", code: "unknown_parameter", detail: "is not known here; did you mean `limit`?" },
    ]);
    expect(query("colour=red").faults[0]?.detail).toContain("Known are `limit`, `status`");
    expect(compileQuery(Type.Object({}))(new URLSearchParams("a=1")).faults[0]?.detail).toBe(
      "is not known here; leave it out",
    );
    expect(query("constructor=1&__proto__=2").faults.map((fault) => fault.code)).toEqual([
      "unknown_parameter",
      "unknown_parameter",
    ]);
  });

  it("names every fault at once, each parameter once", () => {
    const faults = query("limit=abc&status=queued,,running&archived=yes&trust_below=1e3&sort=name&sort=name").faults;
    expect(faults).toEqual([
      { parameter: "limit", code: "type", detail: "must be a whole number" },
      {
        parameter: "status",
        code: "type",
        detail: "must be a list with commas between its items, each text and none empty",
      },
      { parameter: "archived", code: "type", detail: "must be true or false" },
      { parameter: "trust_below", code: "type", detail: "must be a number" },
      { parameter: "sort", code: "repeated_parameter", detail: "is given more than once; give it once" },
    ]);
  });

  it("applies the rules of the schema to what it read", () => {
    expect(query("limit=101&status=queued,lost&sort=name&created_after=now").faults).toEqual([
      { parameter: "limit", code: "too_large", detail: "must be at most 100" },
      { parameter: "status", code: "not_allowed", detail: "must be one of `queued`, `running`" },
      { parameter: "sort", code: "not_allowed", detail: "must be one of `created_at`, `-created_at`" },
      {
        parameter: "created_after",
        code: "format",
        detail: "must be a time as RFC 3339 writes it, such as 2026-01-31T14:30:00Z",
      },
    ]);
  });

  it("asks for required parameters", () => {
    const strict = compileQuery(Type.Object({ since: Type.String() }, { additionalProperties: false }));
    expect(strict(new URLSearchParams()).faults).toEqual([
      { parameter: "since", code: "required", detail: "is required; add it" },
    ]);
  });

  it("knows only scalars and lists of them", () => {
    expect(() => compileQuery(Type.Object({ filter: Type.Object({}) }))).toThrow("filter");
  });
});

it("compiles any number of schemas that carry the same annotation", () => {
  for (const minLength of [1, 2])
    expect(compileSchema({ type: "string", minLength, "x-note": "kept" })("")).toHaveLength(1);
});
