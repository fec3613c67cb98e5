import { expect, it } from "vitest";
import { itemFaults } from "./rules.ts";

const faultsOf = (output: object, expected: Record<string, unknown>) =>
  itemFaults([{ input: {}, expected }], { input: { type: "object" }, output }).map(
    ({ pointer, code }) => `${pointer} ${code}`,
  );

it("asks of what is expected no more than that what it says fits, at any depth", () => {
  const lead = {
    type: "object",
    required: ["name", "size"],
    properties: { name: { type: "string" }, size: { type: "integer" } },
  };
  const output = {
    type: "object",
    required: ["lead"],
    minProperties: 1,
    properties: { lead, required: { type: "boolean" } },
  };
  expect(faultsOf(output, {})).toEqual([]);
  expect(faultsOf(output, { lead: { name: "A" } })).toEqual([]);
  expect(faultsOf(output, { lead: { size: "big" }, required: 1 })).toEqual([
    "/items/0/expected/lead/size type",
    "/items/0/expected/required type",
  ]);
});

it("takes a part of any alternative, also where several fit, and data that look like keywords", () => {
  const either = (kind: string, name: string) => ({
    type: "object",
    required: [name],
    properties: { kind: { const: kind }, [name]: { type: "string" } },
  });
  const output = { oneOf: [either("a", "x"), either("b", "y")] };
  expect(faultsOf(output, {})).toEqual([]);
  expect(faultsOf(output, { kind: "b" })).toEqual([]);
  expect(faultsOf({ properties: { one: { enum: [{ required: true }] } } }, { one: { required: true } })).toEqual([]);
});
