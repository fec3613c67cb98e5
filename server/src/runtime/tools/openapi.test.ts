import { compileUserSchema } from "@aos/json-schema";
import { beforeEach, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { effectOfRow } from "../../kernel/effect.ts";
import { bodyOf, json, startServer, useOutbound } from "../../outbound/server.fixture.ts";
import {
  callHttpTool,
  createOpenApiDescriptions,
  type HttpTool,
  type HttpToolCall,
  httpToolSchema,
  OpenApiError,
} from "./http.ts";
import { DESCRIPTION_LIMITS } from "./openapi-descriptions.ts";
import { findOperation, operationRequest } from "./openapi-operation.ts";
import { YAML_LIMITS } from "./openapi-yaml.ts";

const described = {
  openapi: "3.0.3",
  servers: [{ url: "{stage}/api/", variables: { stage: { default: "/v2" } } }],
  paths: {
    "/orders/{order-id}": {
      parameters: [
        { $ref: "#/components/parameters/Order" },
        { name: "lang", in: "query", schema: { type: "integer" } },
      ],
      get: {
        operationId: "getOrder",
        parameters: [
          {
            name: "lang",
            in: "query",
            description: "Of the texts.",
            schema: { type: "string", enum: ["de", "en"], nullable: true },
          },
          { name: "parts", in: "query", schema: { type: "array", items: { type: "string", format: "binary" } } },
          { name: "X-Trace", in: "header", schema: { type: "string", format: "uuid" } },
          { name: "Authorization", in: "header", required: true, schema: { type: "string" } },
          { name: "session", in: "cookie", schema: { type: "string" } },
        ],
      },
    },
    "/orders": {
      post: {
        operationId: "addOrder",
        requestBody: { $ref: "#/components/requestBodies/Order" },
      },
      delete: { operationId: "dropOrders" },
    },
    "/files": {
      put: { operationId: "putFile", requestBody: { required: true, content: { "multipart/form-data": {} } } },
    },
    "/form": {
      post: {
        operationId: "sendForm",
        requestBody: { content: { "application/x-www-form-urlencoded": { schema: { type: "object" } } } },
      },
    },
  },
  components: {
    parameters: { Order: { name: "order-id", in: "path", required: true, schema: { type: "string" } } },
    requestBodies: {
      Order: {
        required: true,
        content: { "application/vnd.shop+json": { schema: { $ref: "#/components/schemas/Order" } } },
      },
    },
    schemas: {
      Order: {
        type: "object",
        required: ["id", "usd"],
        properties: {
          id: { type: "string", readOnly: true },
          usd: { type: "number", minimum: 0, exclusiveMinimum: true, format: "float" },
          parent: { $ref: "#/components/schemas/Order" },
          kind: {
            oneOf: [{ type: "string", pattern: "^(a+)+$" }, { type: "string" }],
            discriminator: { propertyName: "x" },
          },
          note: { nullable: true, allOf: [{ type: "string", maxLength: 5 }] },
        },
        additionalProperties: false,
      },
    },
  },
};

const server = await startServer();
const outbound = useOutbound({ environment: "development" });
const origin = `http://127.0.0.1:${server.port}`;
const url = `${origin}/docs/openapi.json`;
let now = 0;
let document: unknown;
const seen: { readonly line: string; readonly headers: Readonly<Record<string, unknown>>; readonly body: string }[] =
  [];

beforeEach(() => {
  document = described;
  seen.length = 0;
  server.answer = async (request, response) => {
    const isDescription = request.url === "/docs/openapi.json";
    seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body: await bodyOf(request) });
    (isDescription ? json(document) : json({ done: true }))(request, response);
  };
});

const newDescriptions = () => createOpenApiDescriptions({ clock: { now: () => now } });
const call = (descriptions = newDescriptions()): HttpToolCall => ({
  outbound,
  descriptions,
  credentials: null,
  effect: effectOfRow({ key: "k", before: "none" }),
  signal: new AbortController().signal,
});
const tool = (operation: string, effect: "read" | "write" = "write"): HttpTool => ({
  name: "shop",
  effect,
  openapi: { url, operation },
});
const lines = () => seen.map(({ line }) => line).filter((line) => !line.includes("openapi"));

describe("a tool that refers to an OpenAPI operation", () => {
  it("calls it: path, query and headers as the description says, against its server", async () => {
    const args = {
      "order-id": "a/b",
      lang: "de",
      parts: ["x", "y z"],
      "X-Trace": "123e4567-e89b-12d3-a456-426614174000",
    };
    expect(await callHttpTool(tool("getOrder", "read"), args, call())).toMatchObject({
      kind: "answered",
      output: { done: true },
    });
    expect(lines()).toEqual(["GET /v2/api/orders/a%2Fb?lang=de&parts=x&parts=y%20z"]);
    expect(seen.at(-1)!.headers).toMatchObject({ "x-trace": "123e4567-e89b-12d3-a456-426614174000" });
  });

  it("sends its body in the description's media type", async () => {
    await callHttpTool(tool("addOrder"), { body: { usd: 2 } }, call());
    expect(seen.at(-1)).toMatchObject({ headers: { "content-type": "application/vnd.shop+json" }, body: '{"usd":2}' });
    await callHttpTool(tool("sendForm"), { body: { a: "b c" } }, call());
    expect(seen.at(-1)).toMatchObject({ line: "POST /v2/api/form", body: "a=b+c" });
  });

  it.each([
    [{ body: { usd: 0 } }, "usd` must be more than 0"],
    [{ body: {} }, "usd` is required"],
    [{ body: { usd: 1, id: "x" } }, "id` is not known"],
    [{ body: { usd: 1, note: "longer" } }, "note"],
    [{}, "`body` is required"],
  ])("is held to the description's rules: %j", async (args, words) => {
    const result = await callHttpTool(tool("addOrder"), args, call());
    expect(result).toMatchObject({ kind: "not_sent", failure: { code: "arguments_invalid" } });
    expect(result.kind === "not_sent" && result.failure.detail).toContain(words);
    expect(lines()).toEqual([]);
  });

  it.each([[{ usd: 1, note: null }], [{ usd: 1, kind: "b" }], [{ usd: 1, parent: { anything: 1 } }]])(
    "takes what the description takes: %j",
    async (body) => {
      expect((await callHttpTool(tool("addOrder"), { body }, call())).kind).toBe("answered");
    },
  );

  it("shows models a schema that stands alone, in words of the description", async () => {
    const schema = (await httpToolSchema(tool("getOrder", "read"), call())) as {
      properties: Record<string, unknown>;
      required: unknown;
    };
    expect(schema.properties).toEqual({
      "order-id": { type: "string" },
      lang: { type: ["string", "null"], enum: ["de", "en", null], description: "Of the texts." },
      parts: { type: "array", items: { type: "string" } },
      "X-Trace": { type: "string", format: "uuid" },
    });
    expect(schema.required).toEqual(["order-id"]);
    expect(compileUserSchema(schema).ok).toBe(true);
  });

  it("may narrow the arguments, to those that the operation knows", async () => {
    const narrow: HttpTool = {
      ...tool("getOrder", "read"),
      arguments: { properties: { "order-id": { const: "o1" }, other: {} } },
    };
    expect((await callHttpTool(narrow, { "order-id": "o1" }, call())).kind).toBe("answered");
    expect((await callHttpTool(narrow, { "order-id": "o2" }, call())).kind).toBe("not_sent");
    expect(await callHttpTool(narrow, { "order-id": "o1", other: 1 }, call())).toMatchObject({
      failure: { detail: expect.stringContaining("other") },
    });
    expect(await callHttpTool({ ...narrow, arguments: {} }, {}, call())).toMatchObject({
      failure: { detail: expect.stringContaining("order-id") },
    });
  });

  it("sends credentials to the connection's origins only, wherever the description's server is", async () => {
    document = { ...described, servers: [{ url: `http://localhost:${server.port}` }] };
    const credentials = { headers: { authorization: "Bearer very-secret" }, origins: [origin] };
    expect(await callHttpTool(tool("dropOrders"), {}, { ...call(), credentials })).toMatchObject({
      failure: { code: "credentials_refused" },
    });
    expect(seen.some(({ headers }) => "authorization" in headers)).toBe(false);
  });

  it.each([
    ["getOrders", "read", "operation_unknown", "getOrder"],
    ["putFile", "write", "openapi_unsupported", "multipart"],
    ["dropOrders", "read", "wrong_effect", "DELETE"],
    ["addOrder", "read", "wrong_effect", "tools.reads"],
  ] as const)("that cannot be called says why: %s", async (operation, effect, code, words) => {
    const result = await callHttpTool(tool(operation, effect), {}, call());
    expect(result).toMatchObject({
      kind: "not_sent",
      retryable: false,
      failure: { code, detail: expect.stringContaining(words) },
    });
    await expect(httpToolSchema(tool(operation, effect), call())).rejects.toBeInstanceOf(OpenApiError);
  });
});

it("calls a POST that an admin marked as a read, and no other", async () => {
  const request = `POST ${origin}/v2/api/orders`;
  const marked = { ...tool("addOrder", "read"), markedReads: [request] };
  expect(await callHttpTool(marked, { body: { usd: 2 } }, call())).toMatchObject({ kind: "answered" });
  const other = { ...marked, markedReads: [`${request}/more`] };
  expect(await callHttpTool(other, { body: { usd: 2 } }, call())).toMatchObject({ failure: { code: "wrong_effect" } });
});

describe("descriptions", () => {
  const failureOf = async (answer: typeof server.answer) => {
    server.answer = answer;
    const result = await callHttpTool(tool("getOrder", "read"), { "order-id": "1" }, call());
    return result.kind === "not_sent" ? [result.failure.code, result.retryable] : result;
  };

  it("may be YAML", async () => {
    const yaml = stringify({ ...described, servers: [{ url: origin }] });
    const other = server.answer;
    server.answer = (request, response) =>
      request.url?.startsWith("/docs") ? response.writeHead(200).end(yaml) : other(request, response);
    await callHttpTool(tool("dropOrders"), {}, call());
    expect(lines()).toEqual(["DELETE /orders"]);
  });

  it("are read once for a while, by everybody at once", async () => {
    const descriptions = newDescriptions();
    await Promise.all(
      ["1", "2"].map((id) => callHttpTool(tool("getOrder", "read"), { "order-id": id }, call(descriptions))),
    );
    await callHttpTool(tool("dropOrders"), {}, call(descriptions));
    expect(seen.filter(({ line }) => line.includes("openapi"))).toHaveLength(1);
    now += DESCRIPTION_LIMITS.freshMs;
    document = { ...described, servers: [{ url: "/v3" }] };
    await callHttpTool(tool("dropOrders"), {}, call(descriptions));
    expect(lines().at(-1)).toBe("DELETE /v3/orders");
  });

  it("are used as they were while they cannot be read again", async () => {
    const descriptions = newDescriptions();
    await callHttpTool(tool("dropOrders"), {}, call(descriptions));
    now += DESCRIPTION_LIMITS.freshMs;
    const other = server.answer;
    server.answer = (request, response) =>
      (request.url?.startsWith("/docs") ? json({}, 500) : other)(request, response);
    expect((await callHttpTool(tool("dropOrders"), {}, call(descriptions))).kind).toBe("answered");
  });

  it("stop nobody else when one caller stops", async () => {
    const descriptions = newDescriptions();
    const stop = new AbortController();
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    server.answer = async (request, response) => {
      asked.resolve();
      await released.promise;
      json(described)(request, response);
    };
    const stopped = callHttpTool(tool("dropOrders"), {}, { ...call(descriptions), signal: stop.signal });
    const other = httpToolSchema(tool("dropOrders"), call(descriptions));
    await asked.promise;
    stop.abort();
    expect(await stopped).toMatchObject({ kind: "not_sent", failure: { code: "aborted" } });
    released.resolve();
    expect(await other).toMatchObject({ type: "object" });
  });

  it("that cannot be used say why", async () => {
    const text = (body: string) => (_request: unknown, response: Parameters<typeof server.answer>[1]) =>
      response.writeHead(200).end(body);
    expect(await failureOf(json({}, 500))).toEqual(["openapi_unavailable", true]);
    expect(await failureOf(json({}, 404))).toEqual(["openapi_unavailable", false]);
    expect(await failureOf(json({ swagger: "2.0" }))).toEqual(["openapi_unsupported", false]);
    expect(await failureOf(text("{ no"))).toEqual(["openapi_invalid", false]);
    expect(await failureOf(text("a: [1"))).toEqual(["openapi_invalid", false]);
    expect(await failureOf(text("just text"))).toEqual(["openapi_invalid", false]);
    expect(await failureOf(text(`- ${"x".repeat(YAML_LIMITS.bytes)}`))).toEqual(["openapi_invalid", false]);
    const bomb = [
      "a: &a [x, x, x, x, x, x, x, x, x, x]",
      ..."bcdefgh".split("").map((name, at) => `${name}: &${name} [${Array(10).fill(`*${"abcdefg"[at]}`)}]`),
    ];
    expect(await failureOf(text(bomb.join("\n")))).toEqual(["openapi_invalid", false]);
  });

  it("are guarded like everything", async () => {
    const inside: HttpTool = { ...tool("x"), openapi: { url: "https://10.0.0.1/openapi.json", operation: "x" } };
    expect(await callHttpTool(inside, {}, call())).toMatchObject({
      kind: "not_sent",
      retryable: false,
      failure: { code: "openapi_unavailable" },
    });
  });

  it("that refer out of themselves, or to nothing, are refused", async () => {
    for (const [$ref, code] of [
      ["other.yaml#/x", "openapi_unsupported"],
      ["#/components/none", "openapi_invalid"],
      ["#/components/loop", "openapi_invalid"],
    ]) {
      document = {
        openapi: "3.1.0",
        paths: { "/x": { get: { operationId: "x", parameters: [{ $ref }] } } },
        components: { loop: { $ref: "#/components/loop" } },
      };
      expect(await callHttpTool(tool("x", "read"), {}, call())).toMatchObject({ failure: { code } });
    }
  });
});

describe("an operation of a description", () => {
  it.each([["http://["], [`https://api.test${"/".repeat(3000)}x`]])("needs a server that can be called", (server) => {
    const description = {
      openapi: "3.1.0",
      servers: [{ url: server }],
      paths: { "/x": { get: { operationId: "x" } } },
    };
    expect(() => findOperation(description, "https://api.test/", "x")).toThrow(/names no server/);
  });

  const operation = (parameters: readonly unknown[], path = "/x") =>
    findOperation(
      { openapi: "3.1.0", paths: { [path]: { get: { operationId: "x", parameters } } } },
      "https://api.test/docs/",
      "x",
    );
  const requestOf = (parameters: readonly unknown[], args: Readonly<Record<string, unknown>>, path?: string) =>
    operationRequest(operation(parameters, path), args);
  const query = (more: object) => [{ name: "a", in: "query", schema: {}, ...more }];

  it.each([
    [{}, ["1", "b&"], "a=1&a=b%26"],
    [{ explode: false }, ["1", "b,"], "a=1,b%2C"],
    [{ style: "spaceDelimited", explode: false }, ["1", "2"], "a=1%202"],
    [{ style: "pipeDelimited", explode: false }, ["1", "2"], "a=1%7C2"],
    [{ style: "deepObject" }, { "k[": "v", n: 1 }, "a%5Bk%5B%5D=v&a%5Bn%5D=1"],
    [{}, { k: "v=", n: true }, "k=v%3D&n=true"],
    [{ explode: false }, { k: "v" }, "a=k,v"],
    [{ content: { "application/json": { schema: {} } } }, { k: [1] }, "a=%7B%22k%22%3A%5B1%5D%7D"],
    [{}, "ä ", "a=%C3%A4%20"],
  ])("writes a query of the form %j", (more, value, expected) => {
    expect(requestOf(query(more), { a: value }).url).toBe(`https://api.test/x?${expected}`);
  });

  it("writes lists and objects in paths and headers", () => {
    const parameters = [
      { name: "p", in: "path", required: true, schema: {} },
      { name: "q", in: "path", required: true, explode: true, schema: {} },
      { name: "h", in: "header", schema: {} },
    ];
    const { url: filled, headers } = requestOf(
      parameters,
      { p: ["a/", "b"], q: { k: "v/", l: 1 }, h: ["1", "2"] },
      "/{p}/{q}",
    );
    expect(filled).toBe("https://api.test/a%2F,b/k=v%2F,l=1");
    expect(headers).toEqual({ h: "1,2" });
  });

  it.each(["", ".", ".."])("takes no %j in its path", (id) => {
    expect(() => requestOf([{ name: "id", in: "path", required: true, schema: {} }], { id }, "/x/{id}/y")).toThrow(
      /`id`/,
    );
  });

  it("gives each argument a name of its own that models can write", () => {
    const parameters = [
      { name: "filter[a]", in: "query", schema: {} },
      { name: "id", in: "query", schema: {} },
      { name: "id", in: "header", schema: {} },
      { name: "body", in: "query", schema: {} },
    ];
    expect(operation(parameters).parameters.map(({ argument }) => argument)).toEqual([
      "filter_a_",
      "id",
      "id_header",
      "body_query",
    ]);
    expect(requestOf(parameters, { filter_a_: 1, id_header: "h", body_query: 2 })).toMatchObject({
      url: "https://api.test/x?filter%5Ba%5D=1&body=2",
      headers: { id: "h" },
    });
  });

  it("is cut to the size of a tool's schema where it is larger, and takes anything below", () => {
    const properties = (of: object) =>
      Object.fromEntries(Array.from({ length: 30 }, (_item, index) => [`f${index}`, of]));
    const wide = { type: "object", properties: properties({ $ref: "#/components/b" }) };
    const description = {
      openapi: "3.1.0",
      paths: {
        "/x": {
          get: { operationId: "x", parameters: [{ name: "a", in: "query", schema: { $ref: "#/components/a" } }] },
        },
      },
      components: {
        a: wide,
        b: { type: "object", properties: properties({ $ref: "#/components/c" }) },
        c: { type: "object", properties: properties({ type: "string" }) },
      },
    };
    const compiled = compileUserSchema(findOperation(description, "https://api.test/", "x").schema);
    expect(compiled.ok && compiled.validate({ a: { f0: { f1: { f2: 1 } } } })).toEqual([]);
    expect(compiled.ok && compiled.validate({ a: { f0: 1 } })).not.toEqual([]);
  });
});
