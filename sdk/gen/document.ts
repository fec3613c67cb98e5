/** What generation reads of an OpenAPI 3.1 document; the whole of it is `openapi/openapi.json`. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** An operation as the document describes it. */
export interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly "x-listed": boolean;
  readonly "x-permission": string | null;
  readonly "x-action": string | null;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { schema: Schema; example?: unknown }>>;
  };
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export interface Reference {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Response {
  readonly content?: Readonly<Record<string, { schema?: Schema }>>;
}

/** A JSON Schema, as far as generation looks into it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The name of the component that a reference leads to. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

/** What a reference leads to; anything else as it is. */
export function resolve<T extends object>(document: Document, value: T | Reference): T {
  if (!("$ref" in value) || typeof value.$ref !== "string") return value as T;
  const [, section, name] = value.$ref.match(/^#\/components\/(\w+)\/(.+)$/) ?? [];
  const found = document.components[section ?? ""]?.[name ?? ""];
  if (found === undefined) throw new Error(`the document refers to ${value.$ref}, which it does not have`);
  return found as T;
}

/** An operation with its address. */
export interface Addressed {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly described: Described;
}

/** Every operation, ordered by id. */
export function operationsOf(document: Document): readonly Addressed[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase() as Addressed["method"],
      path,
      described,
    })),
  );
  return all.sort((a, b) => (a.described.operationId < b.described.operationId ? -1 : 1));
}
