import packageFile from "../../package.json" with { type: "json" };
import "../pipeline/events.ts"; // declares the events of the pipeline itself
import { bodyLimit, depthLimit } from "../kernel/body-bounds.ts";
import { eventCatalogue } from "../kernel/events.ts";
import type { Operation } from "../kernel/operation.ts";
import { describe, type OperationDescription } from "../kernel/operation-seal.ts";
import { bounded } from "./bounds.ts";
import { type Components, createComponents } from "./components.ts";
import { headerComponents } from "./headers.ts";
import { parametersOf, sharedParameters } from "./parameters.ts";
import { createResponses, type SharedResponses } from "./responses.ts";
import type { Json } from "./schema.ts";
import { groupOf, groups } from "./tags.ts";
import { webhookParameters, webhooksOf } from "./webhooks.ts";

export { eventExample } from "./event-examples.ts";
export { problemExample } from "./problem-examples.ts";

const description = `Build, train, evaluate, govern and deploy software agents that do business work.

Every call passes permissions, evaluation gate, compliance and audit, in this order. Every answer carries \`X-Request-Id\` and \`Audit-Ref\`, the reference of a
record that can be proved offline. Errors are problems (RFC 9457) whose \`code\` is contract. \`/v1\` only grows: new operations, optional inputs, output members,
values and events may appear at any time.`;

/** What the parts of the document share while it is built. */
interface Shared {
  readonly components: Components;
  readonly responses: SharedResponses;
  readonly parameters: Set<string>;
}

/**
 * The OpenAPI 3.1 description of the service, made from the declarations of its operations, problems and events. Equal declarations give an equal document, byte
 * for byte: it is committed, and reviewed as a difference.
 */
export function openApiDocument(operations: readonly Operation[]): object {
  const components = createComponents();
  const shared: Shared = { components, responses: createResponses(components), parameters: new Set() };
  const described = operations.map(describe).filter(({ door }) => door === "http");
  const events = eventCatalogue();
  const paths = pathsOf(described, shared);
  const webhooks = webhooksOf(events, components);
  const taken = new Set([...described.map(({ id }) => groupOf(id)), ...(events.length > 0 ? ["webhooks"] : [])]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Agent Operations Service",
      version: packageFile.version,
      description,
      // Every installation has operators of its own; a description that is the same for all can name no mailbox of theirs (RFC 2606: `.invalid`).
      contact: {
        name: "The operators of this installation",
        url: "http://127.0.0.1:4000/docs",
        email: "operators@installation.invalid",
      },
      license: { name: "Apache License 2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [
      {
        url: "/",
        description: "This installation; the key says whether a call is for development, staging or production.",
        "x-internal": false,
      },
    ],
    security: [{ bearerKey: [] }],
    tags: groups
      .filter(({ name }) => taken.has(name))
      .map(({ name, description: words }) => ({ name, description: words }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    paths: bounded(paths),
    webhooks: bounded(webhooks),
    components: bounded(componentsOf(shared, { events: events.length > 0, text: JSON.stringify(paths) })),
  };
}

const methodOrder = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function pathsOf(operations: readonly OperationDescription[], shared: Shared): Json {
  const order = ({ path, method }: OperationDescription): string => `${path} ${methodOrder.indexOf(String(method))}`;
  const sorted = [...operations].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const byPath = Map.groupBy(sorted, ({ path }) => path as string);
  const methods = (list: readonly OperationDescription[]): Json =>
    Object.fromEntries(
      list.map((operation) => [String(operation.method).toLowerCase(), operationOf(operation, shared)]),
    );
  return Object.fromEntries([...byPath].map(([path, list]) => [path, methods(list)]));
}

function operationOf(operation: OperationDescription, { components, responses, parameters }: Shared): Json {
  const { id, summary, method, listed, permission, action } = operation;
  const list = parametersOf(operation, components, parameters);
  return {
    operationId: id,
    tags: [groupOf(id)],
    summary,
    description: wordsOf(operation),
    "x-listed": listed,
    "x-permission": typeof permission === "string" ? permission : null,
    "x-action": action,
    ...(list.length > 0 ? { parameters: list } : {}),
    ...(method === "GET" ? {} : bodyOf(operation, components)),
    responses: responses.of(operation),
  };
}

/** What the operation does, and what governs it. */
function wordsOf({ summary, description: words, permission, action, exemptions }: OperationDescription): string {
  const permitted =
    typeof permission === "string"
      ? `Needs the permission \`${permission}\`.`
      : "Needs no permission beyond a valid key.";
  const governed = action === null ? "" : ` Policies know it as \`${action}\`.`;
  const gated = exemptions.gate === undefined ? " Passes the evaluation gate of the agent version." : "";
  return `${words ?? `${summary}.`}\n\n${permitted}${governed}${gated}`;
}

/** A body without required members may be left out. Media types besides JSON say the same members in another syntax. */
function bodyOf(operation: OperationDescription, components: Components): Json {
  const { body, example, reads, receives } = operation;
  const { properties, required, additionalProperties } = body as {
    properties?: object;
    required?: readonly string[];
    additionalProperties?: unknown;
  };
  if (Object.keys(properties ?? {}).length === 0 && additionalProperties === false) return {};
  const schema = components.schema(body as object);
  return {
    requestBody: {
      description: limitsIn(operation),
      required: (required?.length ?? 0) > 0,
      content: {
        "application/json": { schema, ...(example?.body === undefined ? {} : { example: example.body }) },
        ...Object.fromEntries(reads.map((type) => [type, { schema }])),
        ...(receives ? { "multipart/form-data": formOf(receives, components) } : {}),
      },
    },
  };
}

/** What a JSON body may have at most. */
const limitsIn = ({ largestBody = bodyLimit, bounds: { members, values } }: OperationDescription): string =>
  `JSON of at most ${counted(largestBody)} bytes, ${depthLimit} levels, ${counted(members)} members in an object and ${counted(values)} values.`;
const counted = (count: number): string => count.toLocaleString("en");

/** A file with members beside it. Those that are no text are parts of JSON. */
function formOf({ form, file, limit }: NonNullable<OperationDescription["receives"]>, components: Components): Json {
  const { properties = {}, description: words } = form as typeof form & { description?: string };
  const members = Object.entries(properties).map(([name, schema]) => [name, components.schema(schema)]);
  const binary = { type: "string", format: "binary", description: `The file, of at most ${limit} bytes.` };
  return {
    schema: {
      type: "object",
      ...(words === undefined ? {} : { description: words }),
      required: [file, ...(form.required ?? [])],
      properties: { [file]: binary, ...Object.fromEntries(members) },
      additionalProperties: false,
    },
  };
}

function componentsOf(
  { components, responses, parameters }: Shared,
  { events, text }: { events: boolean; text: string },
): Json {
  const used = responses.used();
  const everything = text + JSON.stringify(used.responses);
  const named: Record<string, Json> = { ...sharedParameters, ...(events ? webhookParameters : {}) };
  const isUsed = (name: string): boolean => parameters.has(name) || name in webhookParameters;
  return {
    securitySchemes: {
      bearerKey: {
        type: "http",
        scheme: "bearer",
        bearerFormat: "aos_<dev|stg|prd>_…",
        description: "A key of one environment and one role.",
      },
    },
    schemas: components.used(),
    parameters: Object.fromEntries(
      Object.entries(named)
        .filter(([name]) => isUsed(name))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    headers: Object.fromEntries(
      Object.entries(headerComponents).filter(([name]) => everything.includes(`#/components/headers/${name}"`)),
    ),
    ...used,
  };
}
