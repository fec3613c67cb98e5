import { readFileSync } from "node:fs";
import { eventCatalogue } from "../../kernel/events.ts";
import type { Operation } from "../../kernel/operation.ts";
import { describe, type OperationDescription } from "../../kernel/operation-seal.ts";
import { storedJson } from "../../kernel/stored-json.ts";
import { eventExample, openApiDocument } from "../../openapi/document.ts";
import { type Guide, readGuides } from "./guides.ts";

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** One operation, as declared and as the description has it. */
export interface DocumentedOperation {
  readonly id: string;
  readonly group: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly declared: OperationDescription;
  /** Its part of the OpenAPI description. */
  readonly described: Json;
  /** Codes of the problems that it can answer, by status. */
  readonly problems: ReadonlyMap<string, readonly string[]>;
}

/** One event, as it is published. */
export interface DocumentedEvent {
  readonly type: string;
  readonly summary: string;
  /** The flat body. */
  readonly schema: Json;
  /** A body that fits it. */
  readonly example: Json;
}

/** What the pages are made of: the description of the service, indexed. */
export interface DocsModel {
  readonly operations: readonly DocumentedOperation[];
  /** Groups that have operations, in the registry's order, with their descriptions. */
  readonly groups: readonly {
    readonly name: string;
    readonly description: string;
    readonly operations: readonly DocumentedOperation[];
  }[];
  readonly events: readonly DocumentedEvent[];
  /** Headers of a delivery. */
  readonly eventHeaders: readonly Json[];
  /** The example of each operation as a command of `aos`, by id (made by `npm run gen`). */
  readonly commands: Readonly<Record<string, string>>;
  /** Pages of the repository, in the order of the navigation. */
  readonly guides: readonly Guide[];
  /** The address that examples call. */
  readonly appUrl: string;
  /** What a reference in the description stands for; anything else is answered as it is. */
  resolve(value: unknown): Json;
}

/** Indexes the description of these operations. */
export function docsModel(operations: readonly Operation[], appUrl: string): DocsModel {
  const document = openApiDocument(operations) as Json;
  const resolve = (value: unknown): Json =>
    isObject(value) && typeof value.$ref === "string" ? resolve(at(document, value.$ref)) : (value as Json);
  const documented = operations.map(describe).flatMap((declared) => {
    const { door, id, method, path, summary } = declared;
    if (door !== "http" || method === undefined || path === undefined) return [];
    const described = (document.paths as Record<string, Record<string, Json>>)[path]?.[method.toLowerCase()] as Json;
    return [
      {
        id,
        group: id.slice(0, id.indexOf(".")),
        method,
        path,
        summary,
        declared,
        described,
        problems: problemsOf(described, resolve),
      },
    ];
  });
  const tags = new Map(
    (document.tags as { name: string; description: string }[]).map(({ name, description }) => [name, description]),
  );
  const groups = [...Map.groupBy(documented, ({ group }) => group)].map(([name, list]) => ({
    name,
    description: tags.get(name) ?? "",
    operations: list,
  }));
  return {
    operations: documented,
    groups,
    ...eventsOf(document, resolve),
    commands: readCommands(),
    guides: readGuides(),
    appUrl,
    resolve,
  };
}

const commandsJson = storedJson<{ file: Record<string, string> }>();
const readCommands = (): Record<string, string> =>
  commandsJson({ file: readFileSync(new URL("../../../../openapi/commands.json", import.meta.url), "utf8") }, "file");

function at(document: Json, reference: string): unknown {
  const steps = reference.slice(2).split("/");
  return steps.reduce<unknown>(
    (value, step) => (value as Json)[step.replaceAll("~1", "/").replaceAll("~0", "~")],
    document,
  );
}

function problemsOf(described: Json, resolve: DocsModel["resolve"]): Map<string, string[]> {
  const responses = Object.entries(described.responses as Record<string, Json>);
  return new Map(
    responses.flatMap(([status, response]) => {
      const content = (resolve(response).content ?? {}) as Record<string, Json>;
      const examples = content["application/problem+json"]?.examples;
      return isObject(examples) ? [[status, Object.keys(examples)]] : [];
    }),
  );
}

function eventsOf(document: Json, resolve: DocsModel["resolve"]): Pick<DocsModel, "events" | "eventHeaders"> {
  const deliveries = Object.entries(document.webhooks as Record<string, { post: Json }>);
  const examples = new Map(eventCatalogue().map(({ type, schema }) => [type, eventExample(schema as unknown as Json)]));
  const events = deliveries.map(([type, { post }]) => {
    const { content } = post.requestBody as { content: Record<string, Json> };
    return {
      type,
      summary: String(post.summary),
      schema: content["application/json"]?.schema as Json,
      example: examples.get(type) ?? {},
    };
  });
  const [first] = deliveries;
  return { events, eventHeaders: ((first?.[1].post.parameters ?? []) as Json[]).map(resolve) };
}
