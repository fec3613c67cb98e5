import type { TObject } from "typebox";
import type { OperationDescription } from "../kernel/operation-seal.ts";
import type { Components } from "./components.ts";
import { eventStream, isRepeatable } from "./problems.ts";
import type { Json } from "./schema.ts";

/** `*`, or entity tags with commas between (RFC 9110, section 13.1). */
const entityTags: Json = {
  type: "string",
  maxLength: 1024,
  pattern: '^ *([*]|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*) *$',
};

/** Parameters that many operations share, as components. */
export const sharedParameters: Readonly<Record<string, Json>> = {
  DryRunQuery: {
    name: "dry_run",
    in: "query",
    description: "If `true`, returns what the call would do (schema `DryRun`) and changes nothing.",
    schema: { type: "boolean", default: false },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Makes retries safe: within 24 hours, the same key with the same body returns the first call's response.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[ -~]+$" },
    example: "3f1c2b9e-6a55-4c1e-9d7e-0d3a1f7c8b21",
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    required: true,
    description: "The ETag of the revision that the change is based on.",
    schema: entityTags,
    example: '"3-json"',
  },
  IfMatchOptional: {
    name: "If-Match",
    in: "header",
    description:
      "The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision.",
    schema: entityTags,
    example: '"3-json"',
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "ETag of the caller's copy: 304 if it is still current.",
    schema: entityTags,
    example: '"3-json"',
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description:
      "With `Accept: text/event-stream`: the `id` of the last event received; the stream continues after it.",
    schema: { type: "string", maxLength: 16, pattern: "^[0-9]+$" },
    example: "7",
  },
  Prefer: {
    name: "Prefer",
    in: "header",
    description:
      "`wait=n` (RFC 7240): waits up to `n` seconds, at most 60, for the work to end. Other preferences are ignored.",
    schema: { type: "string", maxLength: 1024 },
    example: "wait=30",
  },
};

/** The parameters of an operation, in the order path, query, header. `used` learns which shared ones it refers to. */
export function parametersOf(operation: OperationDescription, components: Components, used: Set<string>): Json[] {
  const shared = (name: string): Json => {
    used.add(name);
    return { $ref: `#/components/parameters/${name}` };
  };
  const { method, params, query, example, needsRevision, takesRevision, conditional, waitable, streams } = operation;
  const change = method !== "GET";
  return [
    ...members(params).map(([name, schema]) => ({
      ...parameter(name, "path", schema, components),
      required: true,
      ...exampleOf((example?.params as Record<string, unknown> | undefined)?.[name]),
    })),
    ...members(query).map(([name, schema]) =>
      parameter(name, "query", schema, components, query?.required?.includes(name)),
    ),
    ...(change ? [shared("DryRunQuery")] : []),
    ...(isRepeatable(operation) ? [shared("IdempotencyKey")] : []),
    ...(needsRevision ? [shared("IfMatch")] : takesRevision ? [shared("IfMatchOptional")] : []),
    ...(conditional ? [shared("IfNoneMatch")] : []),
    ...(streams.includes(eventStream) && !change ? [shared("LastEventId")] : []),
    ...(waitable ? [shared("Prefer")] : []),
  ];
}

const members = (schema: TObject | undefined): [string, Json][] =>
  Object.entries((schema?.properties ?? {}) as Record<string, Json>);
const exampleOf = (example: unknown): Json => (example === undefined ? {} : { example });

/** A list is sent once, with commas between its values. */
function parameter(
  name: string,
  place: "path" | "query",
  schema: Json,
  components: Components,
  required = false,
): Json {
  const { description, ...rest } = schema;
  const list = rest.type === "array" ? { style: "form", explode: false } : {};
  return {
    name,
    in: place,
    ...(required ? { required } : {}),
    ...(description === undefined ? {} : { description }),
    ...list,
    schema: components.schema(rest),
  };
}
