import { Type } from "typebox";
import { describe as about, expect, expectTypeOf, it } from "vitest";
import { openToAll } from "./narrowing.ts";
import { type defineInside, defineOperation, defineRead, exempt, governs } from "./operation.ts";
import { describe } from "./operation-seal.ts";

const common = { summary: "Test", path: "/v1/tests", output: Type.Object({}), example: { output: {} } } as const;
const narrowing = openToAll("names nothing");
const permission = exempt("a test");
const load = exempt("names nothing");
const compliance = governs("test.read");
const audit = "tests";
const handle = async () => ({});

about("a declaration", () => {
  it("of a read says only what is particular to it", () => {
    const read = defineRead({ ...common, id: "tests.read", permission, load, narrowing, compliance, audit, handle });
    expect(describe(read)).toMatchObject({
      kind: "read",
      method: "GET",
      status: 200,
      listed: false,
      emits: [],
      errors: [],
      action: "test.read",
      exemptions: { gate: "reads, makes no agent act" },
    });
  });

  it("of a change that takes no body has an empty one, and an example of it", () => {
    const id = "tests.change";
    const gate = exempt("makes no agent act");
    const decides = exempt("a test");
    const change = defineOperation({
      ...common,
      id,
      method: "POST",
      permission,
      load,
      narrowing,
      gate,
      decides,
      compliance,
      handle,
      audit: () => "test:1",
    });
    expect(describe(change)).toMatchObject({ kind: "own", status: 200, example: { body: {}, output: {} } });
    expect(describe(change).body).toMatchObject({ additionalProperties: false });
  });

  it("does not compile without what decides a stage", () => {
    type Read = Parameters<typeof defineRead>[0];
    type Change = Parameters<typeof defineOperation>[0];
    type Inside = Parameters<typeof defineInside>[0];
    expectTypeOf<Omit<Read, "errors">>().toExtend<Read>();
    expectTypeOf<Omit<Read, "permission">>().not.toExtend<Read>();
    expectTypeOf<Omit<Read, "load">>().not.toExtend<Read>();
    expectTypeOf<Omit<Read, "compliance">>().not.toExtend<Read>();
    expectTypeOf<Omit<Read, "audit">>().not.toExtend<Read>();
    expectTypeOf<Omit<Change, "gate">>().not.toExtend<Change>();
    expectTypeOf<Omit<Change, "decides">>().not.toExtend<Change>();
    expectTypeOf<Omit<Inside, "gate">>().not.toExtend<Inside>();
  });
});
