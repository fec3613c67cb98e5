import { compileSchema } from "@aos/json-schema";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { publishedOperations } from "../../../scripts/checks/registry.ts";
import { unmatchedOperations } from "../http/unmatched.ts";
import { describe as describeOperation } from "../kernel/operation-seal.ts";
import { bounded } from "./bounds.ts";
import { createComponents } from "./components.ts";
import { openApiDocument } from "./document.ts";
import { type Json, normalSchema } from "./schema.ts";

const operations = publishedOperations();
const document = openApiDocument(operations) as Record<string, Json>;
const text = JSON.stringify(document);
const described = operations.map(describeOperation);

/** Whether a strict-mode module can have a variable of this name. */
function canBeVariable(name: string): boolean {
  try {
    new Function(`"use strict"; async () => { let ${name}; }`);
    return true;
  } catch {
    return false;
  }
}

describe("the description", () => {
  it("is the same, byte for byte, whenever it is made, and in whatever order the registry is", () => {
    expect(JSON.stringify(openApiDocument([...operations].reverse()))).toBe(text);
  });

  it("has every operation with an address, each once, and none of the unmatched ones", () => {
    const ids = Object.values(document.paths as Record<string, Json>).flatMap((path) =>
      Object.values(path).map((one) => (one as Json).operationId),
    );
    expect(ids.sort()).toEqual(described.map(({ id }) => id).sort());
    expect(unmatchedOperations.filter(({ id }) => ids.includes(id))).toEqual([]);
  });

  it("refers to nothing that is missing, and holds nothing that nobody refers to", () => {
    const wanted = new Set(
      [...text.matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g)].map(([, kind, name]) => `${kind}/${name}`),
    );
    const components = document.components as Record<string, Json>;
    const there = Object.entries(components).flatMap(([kind, entries]) =>
      kind === "securitySchemes" ? [] : Object.keys(entries).map((name) => `${kind}/${name}`),
    );
    expect([...wanted].sort()).toEqual(there.sort());
  });

  it("says of all work that goes on after its answer where that is to be looked at", () => {
    const answers = Object.values(document.paths as Record<string, Json>).flatMap((path) =>
      Object.values(path).map((one) => ({
        id: (one as Json).operationId,
        begun: ((one as Json).responses as Json)["202"] as Json | undefined,
      })),
    );
    const begun = answers.filter((one) => one.begun);
    expect(begun.length).toBeGreaterThan(0);
    expect(begun.filter((one) => !(one.begun?.headers as Json | undefined)?.Location).map(({ id }) => id)).toEqual([]);
  });

  it("names no path twice under other parameter names", () => {
    const shapes = Object.keys(document.paths as Json).map((path) => path.replaceAll(/\{\w+\}/g, "{}"));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  it("names no path parameter by a word that is reserved in JavaScript, where generators make a variable of it", () => {
    const names = Object.keys(document.paths as Json).flatMap((path) =>
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
    );
    expect(names.length).toBeGreaterThan(50);
    expect([...new Set(names)].filter((name) => !canBeVariable(name))).toEqual([]);
    expect(["export", "switch", "await", "arguments", "interface", "a-b"].filter(canBeVariable)).toEqual([]);
  });

  it("gives no two components one name, of whatever kind and case: generators put them all into one namespace, and into files", () => {
    const components = document.components as Record<string, Json>;
    const names = Object.entries(components).flatMap(([kind, entries]) =>
      Object.keys(entries).map((name) => `${kind}/${name}`),
    );
    const byName = Map.groupBy(names, (name) =>
      name
        .slice(name.indexOf("/") + 1)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, ""),
    );
    expect([...byName.values()].filter((same) => same.length > 1)).toEqual([]);
  });
});

describe.each(described.map((operation) => [operation.id, operation] as const))(
  "the example of %s",
  (_id, { output, body, params, example, method }) => {
    it("fits the schemas", () => {
      expect(compileSchema(output as object)(example?.output)).toEqual([]);
      if (method !== "GET") expect(compileSchema(body as object)(example?.body ?? {})).toEqual([]);
      expect(compileSchema(params as object)(example?.params ?? {})).toEqual([]);
    });
  },
);

describe("schemas of declarations", () => {
  it("become the words of OpenAPI without a change of meaning", () => {
    const schema = Type.Object({
      state: Type.Enum(["a", "b"]),
      text: Type.Union([Type.String({ description: "inner" }), Type.Null()]),
      free: Type.Record(Type.String(), Type.Unknown()),
      list: Type.Array(Type.Union([Type.Object({}), Type.Null()])),
    });
    expect(normalSchema(schema).properties).toEqual({
      state: { type: "string", enum: ["a", "b"] },
      text: { type: ["string", "null"], description: "inner" },
      free: { type: "object", additionalProperties: true },
      list: { type: "array", items: { anyOf: [{ type: "object", properties: {} }, { type: "null" }] } },
    });
  });

  it("that a module exports are referred to by their names, also when they are optional or on a page", () => {
    const Thing = Type.Object({ id: Type.String() });
    const page = Type.Object({
      data: Type.Array(Thing),
      has_more: Type.Boolean(),
      next_cursor: Type.Union([Type.String(), Type.Null()]),
    });
    const components = createComponents({ things: { Thing, idPrefix: "thg" } });
    expect(components.schema(Type.Object({ one: Type.Optional(Thing) })).properties).toEqual({
      one: { $ref: "#/components/schemas/Thing" },
    });
    expect(components.schema(page)).toEqual({ $ref: "#/components/schemas/ThingPage" });
    expect(Object.keys(components.used())).toEqual(["Thing", "ThingPage"]);
  });

  it("of one name and two meanings are a mistake that is named", () => {
    const modules = {
      one: { Thing: Type.Object({ id: Type.String() }) },
      two: { Thing: Type.Object({ name: Type.String() }) },
    };
    expect(() => createComponents(modules)).toThrow(
      "the schema Thing is exported by one and, with another meaning, by two",
    );
  });

  it("get the bounds that hold for all values, and keep their own", () => {
    const schema = {
      properties: {
        a: { type: "string" },
        b: { type: "string", maxLength: 5, format: "uri" },
        c: { type: "integer", minimum: 1 },
        d: { type: "string", const: "x" },
      },
    };
    expect(bounded(schema).properties).toEqual({
      a: { type: "string", maxLength: 1_048_576, pattern: "^[^\\u0000]*$" },
      b: { type: "string", maxLength: 5, format: "uri" },
      c: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, format: "int64" },
      d: { type: "string", const: "x" },
    });
    expect(bounded({ example: { type: "string" } })).toEqual({ example: { type: "string" } });
    const named = { properties: { examples: { type: "array", items: { type: "boolean" } } } };
    expect(bounded(named).properties.examples).toHaveProperty("maxItems");
  });
});
