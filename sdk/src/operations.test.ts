import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { publishedOperations } from "../../scripts/checks/registry.ts";
import { describe as describeOperation } from "../../server/src/kernel/operation-seal.ts";
import { createClient } from "./index.ts";
import { type OperationId, operations } from "./operations.ts";

const declared = publishedOperations().map(describeOperation);
const client = createClient({ baseUrl: "http://127.0.0.1:1" }) as unknown as Record<string, Record<string, unknown>>;
const document = JSON.parse(await readFile(new URL("../../openapi/openapi.json", import.meta.url), "utf8"));

describe("the table of operations", () => {
  it("has every operation of the registry, and no other", () => {
    expect(Object.keys(operations).sort()).toEqual(declared.map(({ id }) => id).sort());
  });

  it.each(declared.map((operation) => [operation.id, operation] as const))(
    "says of %s what its declaration says",
    (id, operation) => {
      const entry = operations[id as OperationId];
      const {
        method,
        path,
        summary,
        permission,
        action,
        listed,
        needsRevision,
        takesRevision,
        waitable = false,
        status,
      } = operation;
      expect(entry).toMatchObject({
        ...{
          id,
          method,
          path,
          summary,
          action,
          listed,
          permission: typeof permission === "string" ? permission : null,
        },
        ...{
          idempotent: method === "POST" || method === "PATCH",
          dryRun: method !== "GET",
          ifMatch: needsRevision,
          mayMatch: takesRevision,
          waits: waitable,
        },
        ifNoneMatch: operation.conditional,
        streams: operation.streams.includes("text/event-stream"),
        answer: { status },
      });
      expect(entry.pathParameters.map(({ name }) => `{${name}}`)).toEqual(path?.match(/\{\w+\}/g) ?? []);
      expect(entry.queryParameters.map(({ name }) => name)).toEqual(Object.keys(operation.query?.properties ?? {}));
      const body = operation.body as { properties?: object; "x-described"?: object } | undefined;
      // A schema without members is that of a body which the operation itself checks; they are described beside it.
      const { properties = {}, required = [] } = (body?.properties ? body : (body?.["x-described"] ?? {})) as {
        properties?: object;
        required?: string[];
      };
      // A body by kinds lists what all have before what one has.
      expect((entry.body?.fields ?? []).map(({ name }) => name).sort()).toEqual(Object.keys(properties).sort());
      expect(
        (entry.body?.fields ?? [])
          .filter((field) => field.required)
          .map(({ name }) => name)
          .sort(),
      ).toEqual([...required].sort());
      expect(entry.body?.types ?? []).toEqual([
        ...operation.reads,
        ...(operation.receives ? ["multipart/form-data"] : []),
      ]);
    },
  );

  it("names components that the description has", () => {
    const values = Object.values(operations).flatMap(({ pathParameters, queryParameters, body }) => [
      ...pathParameters,
      ...queryParameters,
      ...(body?.fields ?? []),
    ]);
    const named = [...values, ...Object.values(operations).flatMap(({ body, answer }) => [body, answer])].flatMap(
      (one) => one?.schema ?? [],
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((name) => !(name in document.components.schemas))).toEqual([]);
  });

  it("knows lists, choices, bounds, and what may be null", () => {
    const queryOf = (id: OperationId, name: string) => operations[id].queryParameters.find((one) => one.name === name);
    const fieldOf = (id: OperationId, name: string) => operations[id].body?.fields.find((one) => one.name === name);
    expect(queryOf("tasks.listTasks", "status")).toMatchObject({
      type: "array",
      items: "string",
      enum: expect.arrayContaining(["queued"]),
      schema: "TaskStatus",
    });
    expect(queryOf("tasks.listTasks", "limit")).toMatchObject({
      type: "integer",
      minimum: 1,
      maximum: 100,
      default: 25,
      required: false,
    });
    expect(fieldOf("tasks.changeTask", "deadline")).toMatchObject({
      type: "string",
      nullable: true,
      format: "date-time",
    });
    expect(fieldOf("approvals.reject", "reason")).toMatchObject({ type: "string", required: true });
    expect([operations["agents.dispatchTask"].body?.open, operations["tasks.cancelTask"].body?.open]).toEqual([
      true,
      false,
    ]);
    const paginated = (["tasks.listTasks", "approvals.listApprovals", "evaluations.readRun"] as const).map(
      (id) => operations[id].paginated,
    );
    expect(paginated).toEqual([true, true, false]);
  });
});

describe("the client", () => {
  it.each(declared.map(({ id }) => id))("has a method for %s", (id) => {
    const [group, name] = id.split(".") as [string, string];
    const method = client[group]?.[name] as { stream?: unknown } | undefined;
    expect(typeof method).toBe("function");
    expect(typeof method?.stream).toBe(operations[id as OperationId].streams ? "function" : "undefined");
  });
});
