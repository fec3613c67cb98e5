import type { OperationAnswer, OperationBody, OperationEntry, OperationValue, ValueType } from "../src/operation.ts";
import {
  type Addressed,
  type Described,
  type Document,
  nameOf,
  operationsOf,
  type Parameter,
  resolve,
  type Schema,
} from "./document.ts";

const eventStream = "text/event-stream";

/** The table of operations as TypeScript: one line for each value that a call takes, so that a change shows as a small difference. */
export function operationsFile(document: Document): string {
  const entries = operationsOf(document).map((addressed) => entryOf(document, addressed));
  return [
    "// Made by `npm run gen` from openapi/openapi.json. Not for editing.",
    'import type { OperationEntry } from "../operation.ts";',
    "",
    "/** The id of an operation, such as `tasks.cancelTask`. */",
    `export type OperationId =\n${entries.map(({ id }) => `  | ${JSON.stringify(id)}`).join("\n")};`,
    "",
    "/** Every operation of the service, by id. */",
    `export const operations: Readonly<Record<OperationId, OperationEntry>> = {\n${entries.map(textOf).join("\n")}\n};`,
    "",
  ].join("\n");
}

function textOf(entry: OperationEntry): string {
  const { pathParameters, queryParameters, body, ...rest } = entry;
  const list = (name: string, values: readonly OperationValue[], indent: string): string =>
    `${indent}${name}: [${values.length === 0 ? "" : `\n${values.map((value) => `${indent}  ${JSON.stringify(value)},`).join("\n")}\n${indent}`}],`;
  const { fields, ...ofBody } = body ?? { fields: [] };
  return [
    `  ${JSON.stringify(entry.id)}: {`,
    ...Object.entries(rest).map(([name, value]) => `    ${name}: ${JSON.stringify(value)},`),
    list("pathParameters", pathParameters, "    "),
    list("queryParameters", queryParameters, "    "),
    ...(body === null
      ? ["    body: null,"]
      : [
          "    body: {",
          ...Object.entries(ofBody).map(([name, value]) => `      ${name}: ${JSON.stringify(value)},`),
          list("fields", fields, "      "),
          "    },",
        ]),
    "  },",
  ].join("\n");
}

/** An operation of the document as the table has it. */
export function entryOf(document: Document, { method, path, described }: Addressed): OperationEntry {
  const parameters = (described.parameters ?? []).map((one) => resolve<Parameter>(document, one));
  const takes = (name: string): boolean => parameters.some((one) => one.name === name);
  const values = (place: Parameter["in"]): OperationValue[] =>
    parameters
      .filter((one) => one.in === place && one.name !== "dry_run")
      .map(({ name, required = false, description, schema }) =>
        parameterOf(document, name, schema, required, description),
      );
  const [group, name] = described.operationId.split(".") as [string, string];
  const { answer, paginated } = answerOf(document, described);
  return {
    id: described.operationId,
    group,
    name,
    method,
    path,
    summary: described.summary,
    description: described.description,
    permission: described["x-permission"],
    action: described["x-action"],
    listed: described["x-listed"],
    pathParameters: values("path"),
    queryParameters: values("query"),
    body: bodyOf(document, described),
    answer,
    idempotent: takes("Idempotency-Key"),
    dryRun: takes("dry_run"),
    ifMatch: parameters.some(({ name, required }) => name === "If-Match" && required === true),
    mayMatch: parameters.some(({ name, required }) => name === "If-Match" && required !== true),
    ifNoneMatch: takes("If-None-Match"),
    waits: takes("Prefer"),
    paginated: paginated && takes("cursor"),
    streams: answer.types.includes(eventStream),
  };
}

function bodyOf(document: Document, { requestBody }: Described): OperationBody | null {
  const json = requestBody?.content["application/json"];
  if (requestBody === undefined || json === undefined) return null;
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = whole(document, resolve<Schema>(document, json.schema as Schema));
  return {
    required: requestBody.required,
    schema: json.schema.$ref === undefined ? null : nameOf(json.schema.$ref),
    types: Object.keys(requestBody.content).filter((type) => type !== "application/json"),
    fields: Object.entries(properties).map(([name, schema]) =>
      parameterOf(document, name, schema, required.includes(name)),
    ),
    open: additionalProperties === true,
    ...(json.example === undefined ? {} : { example: json.example }),
  };
}

/** The answer when all goes well: that of the lowest status besides a dry run's. */
function answerOf(document: Document, { responses }: Described): { answer: OperationAnswer; paginated: boolean } {
  const successes = Object.entries(responses).filter(
    ([status, response]) => Number(status) < 300 && !("$ref" in response),
  );
  const [status, response] = successes[0] as (typeof successes)[number];
  const { content = {} } = resolve(document, response);
  const schema = content["application/json"]?.schema;
  const own = schema?.anyOf?.find(({ $ref }) => $ref === undefined || nameOf($ref) !== "DryRun") ?? schema;
  const members = own === undefined ? {} : (resolve<Schema>(document, own).properties ?? {});
  return {
    answer: {
      status: Number(status),
      types: Object.keys(content),
      schema: own?.$ref === undefined ? null : nameOf(own.$ref),
    },
    paginated: ["data", "has_more", "next_cursor"].every((member) => member in members), // a page may tell more, such as counts
  };
}

/** What a schema says of a value, as flat as a command line can use it. */
function parameterOf(
  document: Document,
  name: string,
  schema: Schema,
  required: boolean,
  words?: string,
): OperationValue {
  const { whole, nullable } = withoutNull(schema);
  const resolved = resolve<Schema>(document, whole as Schema & { $ref: string });
  const item =
    resolved.items === undefined ? undefined : resolve<Schema>(document, resolved.items as Schema & { $ref: string });
  const component = whole.$ref ?? resolved.items?.$ref;
  const description = words ?? schema.description ?? resolved.description;
  const { format, default: preset, minimum, maximum } = resolved;
  const choices = choicesOf(resolved) ?? (item && choicesOf(item));
  return {
    name,
    type: typeOf(resolved),
    ...(item ? { items: typeOf(item) } : {}),
    ...(choices ? { enum: choices } : {}),
    ...(nullable ? { nullable: true as const } : {}),
    required,
    ...(description === undefined ? {} : { description }),
    ...(format === undefined || /^int\d+$/.test(format) ? {} : { format }),
    ...(preset === undefined ? {} : { default: preset }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
    ...(component === undefined ? {} : { schema: nameOf(component) }),
  };
}

/** A schema that allows null besides one other schema: that other one. */
function withoutNull(schema: Schema): { whole: Schema; nullable: boolean } {
  if (Array.isArray(schema.type)) {
    const [type, ...more] = (schema.type as readonly string[]).filter((one) => one !== "null");
    return {
      whole: more.length > 0 || type === undefined ? schema : { ...schema, type },
      nullable: schema.type.includes("null"),
    };
  }
  const others = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  const nullable = schema.anyOf !== undefined && others.length < schema.anyOf.length;
  return { whole: nullable && others.length === 1 ? (others[0] as Schema) : schema, nullable };
}

const choicesOf = ({ enum: choices, const: only }: Schema): readonly string[] | undefined =>
  choices ?? (typeof only === "string" ? [only] : undefined);

const types: readonly string[] = ["string", "integer", "number", "boolean", "array", "object"] satisfies ValueType[];

/** The type of a schema; of alternatives, theirs where they agree. */
function typeOf(schema: Schema): ValueType {
  if (typeof schema.type === "string" && types.includes(schema.type)) return schema.type as ValueType;
  if (schema.enum !== undefined) return "string";
  if (schema.const !== undefined) return typeof schema.const as ValueType;
  const alternatives = new Set((schema.anyOf ?? []).map((one) => (one.$ref === undefined ? typeOf(one) : "object")));
  return alternatives.size === 1 ? ([...alternatives][0] as ValueType) : "any";
}

/**
 * A body whose members depend on its kind, as one that has the members of all kinds: required are those of each. What tells them apart takes the values of
 * all.
 */
function whole(document: Document, schema: Schema): Schema {
  const { oneOf } = schema as { oneOf?: readonly Schema[] };
  if (oneOf === undefined) return schema;
  const kinds = oneOf.map((one) => resolve<Schema>(document, one));
  const properties: Record<string, Schema> = {};
  for (const kind of kinds) {
    for (const [name, member] of Object.entries(kind.properties ?? {})) {
      const before = properties[name];
      properties[name] = before === undefined ? member : joined(before, member);
    }
  }
  const required = (kinds[0]?.required ?? []).filter((name) => kinds.every((kind) => kind.required?.includes(name)));
  return { ...kinds[0], properties, required };
}

type Valued = Schema & { readonly enum?: readonly unknown[]; readonly const?: unknown };

/** One member of two kinds: its values are those of both. */
function joined(one: Valued, other: Valued): Schema {
  const valuesOf = ({ enum: values, const: only }: Valued): readonly unknown[] | undefined =>
    values ?? (only === undefined ? undefined : [only]);
  const [mine, others] = [valuesOf(one), valuesOf(other)];
  if (mine === undefined || others === undefined) {
    const members = { ...one.properties, ...other.properties };
    return Object.keys(members).length > 0 ? { ...one, properties: members } : one;
  }
  const { const: _only, ...rest } = one;
  return { ...rest, type: "string", enum: [...new Set([...mine, ...others])] } as Schema;
}
