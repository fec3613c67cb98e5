import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { openToAll } from "../kernel/narrowing.ts";
import { defineBatch, defineOperation, defineRead, exempt, type Operation } from "../kernel/operation.ts";
import { openApiDocument } from "./document.ts";
import type { Json } from "./schema.ts";

const why = "only described";
const Thing = Type.Object({ name: Type.String({ description: "Its name." }) }, { additionalProperties: false });
const common = {
  summary: "Do a thing",
  params: Type.Object({}),
  query: Type.Object({}),
  permission: exempt(why),
  load: exempt(why),
  narrowing: openToAll(why),
  gate: exempt(why),
  compliance: exempt(why),
  audit: () => ({ object: null }),
};

const plain = {
  ...common,
  method: "GET",
  path: "/v1/things",
  status: 200,
  output: Thing,
  example: { output: { name: "a" } },
} as const;
const handle = () => ({ name: "a" });
const many = (operation: Operation, method: string): Json => {
  const { paths } = openApiDocument([operation]) as { paths: Record<string, Record<string, Json>> };
  return paths["/v1/things"]?.[method] as Json;
};
const successOf = (described: Json, status = "200") =>
  (described.responses as Record<string, Json>)[status] as Record<string, Json>;
const parametersOf = (described: Json): unknown[] => (described.parameters as Json[]).map(({ $ref }) => $ref);

describe("a read that writes other representations", () => {
  const operation = defineRead({
    ...plain,
    id: "agents.readThing",
    revision: () => 1,
    writes: { "application/yaml": { etag: "yaml", write: ({ name }) => name } },
    handle,
  });

  it("answers each of them, and 406 where none is acceptable", () => {
    const described = many(operation, "get");
    expect(Object.keys(successOf(described).content as Json)).toEqual(["application/json", "application/yaml"]);
    expect(Object.keys(successOf(described).headers as Json)).toEqual(expect.arrayContaining(["ETag", "Vary"]));
    expect((described.responses as Json)["406"]).toEqual({ $ref: "#/components/responses/NotAcceptableResponse" });
  });

  it("documents Vary with every answer that depends on Accept, also where nothing is sent", () => {
    const { components } = openApiDocument([operation]) as { components: { responses: Json } };
    const responses = many(operation, "get").responses as Record<string, { $ref: string }>;
    for (const status of ["304", "406"]) {
      const name = responses[status]?.$ref.slice("#/components/responses/".length) as string;
      expect((components.responses[name] as Json).headers).toHaveProperty("Vary");
    }
  });
});

describe("a read that streams", () => {
  const stream = async function* () {
    yield "";
  };
  const operation = (type: string) =>
    defineRead({ ...plain, id: "tasks.followThing", streams: { [type]: stream }, handle });

  it("of events takes Last-Event-ID, and refuses what is none", () => {
    const described = many(operation("text/event-stream"), "get");
    expect(parametersOf(described)).toEqual(["#/components/parameters/LastEventId"]);
    expect((described.responses as Json)["400"]).toEqual({
      $ref: "#/components/responses/InvalidHeaderOrInvalidParameterResponse",
    });
    const { example } = (successOf(described).content as Record<string, Json>)["text/event-stream"] as Json;
    expect(example).toMatch(/^retry: \d+\n\nid: 1\nevent: (\S+)\ndata: \{"event":"\1",.*\}\n\n$/);
  });

  it("of anything else takes no Last-Event-ID, and says no length", () => {
    const described = many(operation("text/csv"), "get");
    expect(described.parameters).toBeUndefined();
    expect((successOf(described).content as Json)["text/csv"]).toEqual({});
  });
});

describe("a call that can wait", () => {
  it("takes Prefer and says when it was followed; others do not", () => {
    const waitable = many(defineRead({ ...plain, id: "tasks.awaitThing", waitable: true, handle }), "get");
    expect(parametersOf(waitable)).toEqual(["#/components/parameters/Prefer"]);
    expect(Object.keys(successOf(waitable).headers as Json)).toContain("Preference-Applied");
    const other = many(defineRead({ ...plain, id: "tasks.findThing", handle }), "get");
    expect(other.parameters).toBeUndefined();
    expect(Object.keys(successOf(other).headers as Json)).not.toContain("Preference-Applied");
  });
});

describe("a change", () => {
  const change = { ...common, path: "/v1/things", decides: exempt(why), body: Thing, output: Thing } as const;

  it("that reads other media types takes the same members in each", () => {
    const operation = defineOperation({
      ...change,
      id: "agents.makeThing",
      method: "POST",
      status: 201,
      example: { body: { name: "a" }, output: { name: "a" } },
      reads: { "application/yaml": (bytes) => ({ name: bytes.toString() }) },
      handle: async () => ({ name: "a" }),
    });
    const { content } = many(operation, "post").requestBody as { content: Record<string, Json> };
    expect(Object.keys(content)).toEqual(["application/json", "application/yaml"]);
    expect(content["application/yaml"]?.schema).toEqual(content["application/json"]?.schema);
  });

  it("that is a batch answers 207, and a twin that still runs", () => {
    const operation = defineBatch({
      ...change,
      id: "tasks.makeThings",
      example: { body: { name: "a" }, output: { name: "a" } },
      handle: async () => ({ name: "a" }),
    });
    const described = many(operation, "post");
    expect(successOf(described, "207").description).toBe("One result for each item.");
    expect(successOf(described)).toEqual({ $ref: "#/components/responses/DryRunResponse" });
    expect((described.responses as Json)["409"]).toEqual({
      $ref: "#/components/responses/IdempotencyKeyInUseResponse",
    });
  });
});
