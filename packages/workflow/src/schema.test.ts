import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { publishedSchema } from "./schema.ts";

it("publishes a schema that holds steps of branches to the same form, without relative ids", () => {
  const schema = publishedSchema();
  expect(JSON.stringify(schema)).not.toMatch(/"\$id"|"\$ref":"Step"/);
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false }).compile(schema);
  const nested = (inner: object) => ({
    workflow: "w",
    steps: [{ id: "p", parallel: { branches: { a: [inner], b: [{ id: "b", set: {} }] } } }],
  });
  expect(validate(nested({ id: "a", wait: { for: "2d" } }))).toBe(true);
  expect(validate(nested({ id: "a", wait: { for: "soon" } }))).toBe(false);
});
