import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { publishedOperations } from "../../scripts/checks/registry.ts";
import { type Content, contents, type Decides } from "../src/kernel/decides.ts";
import { openToAll } from "../src/kernel/narrowing.ts";
import { defineAppend, defineBatch, defineOperation, exempt, governs } from "../src/kernel/operation.ts";
import { describe as describeOperation } from "../src/kernel/operation-seal.ts";

const names = Object.keys(contents) as Content[];
const operations = publishedOperations().map(describeOperation);

describe("what operations decide", () => {
  it.each(names)("includes %s", (name) => {
    expect(operations.filter(({ decides }) => decides?.includes(name))).not.toEqual([]);
  });

  it("is said by each operation that writes, and by no read", () => {
    const silent = operations.filter(
      ({ decides, exemptions }) => (decides === null) === (exemptions.decides === undefined),
    );
    expect(silent.filter(({ kind }) => kind !== "read").map(({ id }) => id)).toEqual([]);
    expect(operations.filter(({ kind, decides }) => kind === "read" && decides !== null)).toEqual([]);
  });
});

describe("the declaration of a change", () => {
  const parts = {
    id: "tests.change",
    path: "/v1/tests",
    summary: "Test",
    output: Type.Object({}),
    example: { output: {} },
    permission: exempt("a test"),
    load: exempt("names nothing"),
    narrowing: openToAll("names nothing"),
    gate: exempt("makes no agent act"),
    compliance: governs("test.change"),
    audit: "tests",
  } as const;
  const handle = async () => ({});
  const own = (decides: Decides) => defineOperation({ ...parts, decides, method: "POST", handle });
  const append = (decides: Decides) =>
    defineAppend({ ...parts, decides, handle: () => ({}), replay: async () => undefined });
  const batch = (decides: Decides) => defineBatch({ ...parts, decides, handle });

  it.each([
    ["own", own],
    ["grouped", append],
    ["batch", batch],
  ])("throws where it does not say what it decides (%s)", (_kind, define) => {
    const missing = "tests.change does not say what its callers decide of an agent's later work";
    expect(() => define(undefined as unknown as Decides)).toThrow(missing);
    expect(() => define([])).toThrow(missing);
    expect(() => define("weather" as Content)).toThrow(missing);
    expect(describeOperation(define(["message", "edit"]))).toMatchObject({ decides: ["message", "edit"] });
  });

  it("gives the reason of an exemption", () => {
    const { decides, exemptions } = describeOperation(own(exempt("stops work")));
    expect({ decides, reason: exemptions.decides }).toEqual({ decides: null, reason: "stops work" });
  });
});
