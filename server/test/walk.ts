import { compileSchema } from "@aos/json-schema";
import { expect } from "vitest";
import type { OperationDescription } from "../src/kernel/operation-seal.ts";
import type { Environment } from "../src/kernel/principal.ts";
import { problemsOf } from "../src/openapi/problems.ts";
import { DryRun, Problem } from "../src/openapi/schemas.ts";
import type { Answered, CallOptions, TestApp } from "../src/testing/app.ts";
import { type Arranged, arrange } from "./arrangements.ts";

/** Calls one operation in all the ways that the walk over the registry needs. */
export interface Walker {
  readonly operation: OperationDescription;
  arranged(environment?: Environment): Promise<Arranged>;
  /** Calls it with what was arranged, by default as the development admin. `query` comes with its question mark; `headers` come before those arranged. */
  call(given: Arranged, options?: CallOptions & { query?: string }): Promise<Answered>;
}

/** A walker over one operation. Every answer that it sees is held against the description. */
export function walk(app: TestApp, operation: OperationDescription): Walker {
  return {
    operation,
    arranged: (environment = "development") =>
      (arrange[operation.id] as NonNullable<(typeof arrange)[string]>)(app, environment),
    async call({ params, body, headers }, { query = "", ...options } = {}) {
      const path = (operation.path as string).replaceAll(
        /\{(\w+)\}/g,
        (_whole, name: string) => params[name] as string,
      );
      const sent = "body" in options ? options.body : body;
      const { session, own } = headersOf(headers, options.key === undefined);
      const answered = await app.call(operation.method as string, path + query, {
        ...(session ? { key: null } : {}),
        ...options,
        headers: { ...own, ...options.headers },
        ...(sent === undefined ? {} : { body: sent }),
      });
      holdAgainstDescription(operation, answered);
      return answered;
    },
  };
}

/** What was arranged to be called by a session is called by a key where a test names one. */
function headersOf(headers: Arranged["headers"], isDefault: boolean) {
  const { cookie, "x-csrf-token": token, ...others } = headers ?? {};
  const session = cookie !== undefined && isDefault;
  return { session, own: session ? headers : others };
}

/** An answer carries its references and is one that the description knows. */
function holdAgainstDescription(operation: OperationDescription, { status, headers, body, text }: Answered): void {
  expect(headers.get("x-request-id")).toMatch(/^req_/);
  expect(headers.get("audit-ref")).toMatch(/^aud_/);
  if (status < 400) return;
  expect(headers.get("content-type"), text).toBe("application/problem+json");
  expect(faultsOf(Problem, body)).toEqual([]);
  expect(body).toMatchObject({ status, audit_ref: headers.get("audit-ref"), request_id: headers.get("x-request-id") });
  expect(
    problemsOf(operation).map(({ code }) => code),
    `${operation.id} answered a problem that its description lacks`,
  ).toContain(body.code);
}

const validators = new WeakMap<object, ReturnType<typeof compileSchema>>();

/** Faults of a value against a schema of ours. */
export function faultsOf(schema: object, value: unknown): readonly object[] {
  let validate = validators.get(schema);
  if (!validate) {
    validate = compileSchema(schema);
    validators.set(schema, validate);
  }
  return validate(value);
}

/** A successful answer has the status, a type and the shape that were declared. Further representations say in their own format what the schema says of JSON. */
export function expectDeclaredAnswer(operation: OperationDescription, { status, headers, body, text }: Answered): void {
  const usual = operation.contentType ?? "application/json";
  const type = headers.get("content-type");
  expect(status, text).toBe(operation.status);
  expect([usual, ...operation.writes, ...operation.streams]).toContain(type);
  if (type === usual) expect(faultsOf(operation.output as object, body)).toEqual([]);
  expect(headers.has("location")).toBe(operation.hasLocation);
  expect(headers.has("etag")).toBe(operation.hasRevision);
}

/** The answer to a dry run has the shape of dry runs and nothing of the real answer's. */
export function expectDryRun(operation: OperationDescription, { status, headers, body, text }: Answered): void {
  expect(status, text).toBe(200);
  expect(faultsOf(DryRun, body)).toEqual([]);
  expect(body).toMatchObject({ dry_run: true, response_status: operation.status });
  expect([headers.has("location"), headers.has("etag")]).toEqual([false, false]);
}

/** How many audit records there are, and how often those of one reference. */
export async function countRecords(app: TestApp, reference?: string | null): Promise<{ all: number; named: number }> {
  const { rows } = await app.pool.query(
    "select count(*)::int as all, (count(*) filter (where id = $1))::int as named from audit_records",
    [reference ?? ""],
  );
  return rows[0];
}

/** How many records a call of an operation writes that reaches its handler: one, and of a batch one more for each call that it makes and each note. */
export function recordsOf({ kind }: OperationDescription, { body, batch }: Arranged, dryRun = false): number {
  if (kind !== "batch") return 1;
  if (batch) return 1 + batch.calls + (dryRun ? 0 : batch.notes);
  const items = Object.values(body as object).find(Array.isArray) as readonly unknown[];
  return 1 + items.length;
}

/** A body that breaks a rule of the schema, with the place that the error has to name. */
export function badBody({ body }: OperationDescription): { body: unknown; pointer: string } {
  const schema = body as { additionalProperties?: unknown; required?: readonly string[]; properties?: object };
  if (schema.additionalProperties === false) return { body: { no_such_field: 1 }, pointer: "/no_such_field" };
  const name = schema.required?.[0] ?? Object.keys(schema.properties ?? {})[0];
  return { body: { [name as string]: [] }, pointer: `/${name}` };
}

/** A media type in which an operation takes no body. */
export function foreignType({ reads }: OperationDescription): string {
  return ["application/yaml", "text/csv"].find((type) => !reads.includes(type)) as string;
}

/** A query with a misspelt name, and what the answer has to suggest; null where the operation knows no parameter to be near to. */
export function badQuery({ query }: OperationDescription): {
  query: string;
  parameter: string;
  suggested: string | null;
} {
  const [name] = Object.keys(query?.properties ?? {});
  if (name === undefined) return { query: "?no_such_parameter=1", parameter: "no_such_parameter", suggested: null };
  return { query: `?${name}x=1`, parameter: `${name}x`, suggested: name };
}
