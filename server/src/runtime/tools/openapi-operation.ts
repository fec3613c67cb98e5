import { compileUserSchema, type JsonSchema } from "@aos/json-schema";
import { nearestName } from "@aos/text";
import { ArgumentError, checkedSegment, encodedBody, type FilledRequest, isJsonType, isObject } from "./http-body.ts";
import { OpenApiError } from "./openapi-error.ts";
import { type Place, parameterOf, pathText, queryPairs, simpleText } from "./openapi-parameters.ts";
import { followed, standalone } from "./openapi-schema.ts";

type Description = Readonly<Record<string, unknown>>;

/** One operation of a description: what it takes, and where that goes. */
export interface HttpOperation {
  readonly id: string;
  readonly method: string;
  /** Address of the server, without a slash at the end. */
  readonly base: string;
  /** `/leads/{lead_id}`. */
  readonly path: string;
  readonly parameters: readonly Place[];
  readonly body: { readonly argument: string; readonly type: string } | null;
  /** JSON Schema of all arguments: parameters by name, the body as `body`. */
  readonly schema: JsonSchema;
}

const METHODS = ["get", "head", "post", "put", "patch", "delete"] as const;
/** Levels of a schema that are kept, from most to fewest, until the whole is small enough for a schema of a tool. */
const DEPTHS = [12, 8, 6, 5, 4, 3, 2, 1, 0] as const;

/** Characters of a server's address; a tool's own has no more either. */
const LONGEST_ADDRESS = 2000;

const found = new WeakMap<Description, Map<string, HttpOperation>>();

/** The operation of this `operationId`. Throws OpenApiError where there is none, or where it asks for what is not made. */
export function findOperation(description: Description, url: string, id: string): HttpOperation {
  const known = found.get(description) ?? new Map<string, HttpOperation>();
  found.set(description, known);
  const operation = known.get(id) ?? readOperation(description, url, id);
  known.set(id, operation);
  return operation;
}

function readOperation(description: Description, url: string, id: string): HttpOperation {
  const ids: string[] = [];
  for (const [path, item] of Object.entries(isObject(description.paths) ? description.paths : {})) {
    const shared = followed(description, item);
    for (const method of METHODS) {
      const operation = isObject(shared) ? shared[method] : undefined;
      if (!isObject(operation)) continue;
      if (operation.operationId === id)
        return build({ description, url, id, path, method, shared: shared as Description, operation });
      if (typeof operation.operationId === "string") ids.push(operation.operationId);
    }
  }
  const nearest = nearestName(id, ids);
  const hint = nearest === null ? "" : ` Did you mean \`${nearest}\`?`;
  throw new OpenApiError("operation_unknown", `The description at ${url} has no operation \`${id}\`.${hint}`);
}

interface Source {
  readonly description: Description;
  readonly url: string;
  readonly id: string;
  readonly path: string;
  readonly method: (typeof METHODS)[number];
  readonly shared: Description;
  readonly operation: Description;
}

function build(source: Source): HttpOperation {
  const { description, id, path, method, shared, operation } = source;
  const parameters = placesOf(source, [...listOf(shared.parameters), ...listOf(operation.parameters)]);
  const body = method === "get" || method === "head" ? null : bodyOf(description, operation, id);
  const inPath = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!);
  const missing = inPath.find((name) => !parameters.some((one) => one.in === "path" && one.name === name));
  if (missing !== undefined)
    throw new OpenApiError(
      "openapi_invalid",
      `The path of \`${id}\` takes \`${missing}\`, which is none of its parameters.`,
    );
  const schema = schemaOf(description, parameters, body, id);
  return {
    id,
    method: method.toUpperCase(),
    base: baseOf(source),
    path,
    parameters,
    body: body && { argument: body.argument, type: body.type },
    schema,
  };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The parameters of an operation; its own replace those of its path that have the same name and place. Each gets a name that models can write. */
function placesOf({ description, id }: Source, list: readonly unknown[]): Place[] {
  const places = new Map<string, Place>();
  for (const one of list) {
    const place = parameterOf(followed(description, one), id);
    if (place !== null) places.set(`${place.in} ${place.name}`, place);
  }
  const taken = new Set(["body"]);
  return [...places.values()].map((place) => {
    const plain = place.name.replaceAll(/[^A-Za-z0-9_.-]/g, "_").slice(0, 50);
    let argument = taken.has(plain) ? `${plain}_${place.in}` : plain;
    for (let count = 2; taken.has(argument); count += 1) argument = `${plain}_${place.in}_${count}`;
    taken.add(argument);
    return { ...place, argument };
  });
}

interface Body {
  readonly argument: string;
  readonly type: string;
  readonly schema: unknown;
  readonly required: boolean;
}

function bodyOf(description: Description, operation: Description, id: string): Body | null {
  const body = followed(description, operation.requestBody);
  if (!isObject(body) || !isObject(body.content)) return null;
  const types = Object.keys(body.content);
  const type =
    types.find(isJsonType) ??
    types.find((one) => /^application\/x-www-form-urlencoded\b/i.test(one)) ??
    types.find((one) => /^text\/[a-z]/i.test(one));
  if (type === undefined) {
    if (body.required !== true) return null;
    throw new OpenApiError(
      "openapi_unsupported",
      `\`${id}\` takes its body as ${types.join(" or ")}; JSON, forms and text can be sent.`,
    );
  }
  const media = body.content[type];
  return {
    argument: "body",
    type,
    schema: isObject(media) ? media.schema : undefined,
    required: body.required === true,
  };
}

function schemaOf(description: Description, parameters: readonly Place[], body: Body | null, id: string): JsonSchema {
  const fields = [...parameters, ...(body === null ? [] : [body])];
  const required = fields.filter((field) => field.required).map(({ argument }) => argument);
  for (const depth of DEPTHS) {
    const schema = {
      type: "object",
      properties: Object.fromEntries(
        fields.map((field) => [field.argument, described(standalone(description, field.schema, depth), field)]),
      ),
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    };
    if (compileUserSchema(schema).ok) return schema;
  }
  throw new OpenApiError(
    "openapi_unsupported",
    `What \`${id}\` takes is too large for a tool; write the tool as one \`request\`.`,
  );
}

/** A parameter's own description goes before that of its schema. */
function described(schema: Record<string, unknown> | boolean, field: Place | Body): Record<string, unknown> | boolean {
  const words = "words" in field ? field.words : "";
  return words === "" || typeof schema === "boolean" ? schema : { ...schema, description: words };
}

/** The first server of the operation, its path or the description, relative to where the description lies. */
function baseOf({ description, url, shared, operation }: Source): string {
  const server = [operation.servers, shared.servers, description.servers].map((list) => listOf(list)[0]).find(isObject);
  const variables = isObject(server?.variables) ? server.variables : {};
  const template = typeof server?.url === "string" ? server.url : "/";
  const address = template.replaceAll(/\{([^{}]*)\}/g, (_place, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isObject(variable) ? String(variable.default ?? "") : "";
  });
  const base = address.length > LONGEST_ADDRESS ? null : URL.parse(address, url);
  if (base === null)
    throw new OpenApiError("openapi_invalid", `The description at ${url} names no server that can be called.`);
  return (base.origin + base.pathname).replace(/\/+$/, "");
}

/** The request of an operation with these arguments. Throws ArgumentError for one that it does not know, lacks, or cannot write. */
export function operationRequest(operation: HttpOperation, args: Readonly<Record<string, unknown>>): FilledRequest {
  const known = [
    ...operation.parameters.map(({ argument }) => argument),
    ...(operation.body === null ? [] : [operation.body.argument]),
  ];
  const unknown = Object.keys(args).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new ArgumentError(
      `\`${unknown}\` is nothing that \`${operation.id}\` takes; it takes ${known.join(", ") || "nothing"}`,
    );
  const value = ({ argument }: Place): unknown => (Object.hasOwn(args, argument) ? args[argument] : undefined);
  const missing = operation.parameters.find((place) => place.required && value(place) === undefined);
  if (missing !== undefined) throw new ArgumentError(`\`${missing.argument}\` is needed and not given; add it`);
  const inPlace = (where: Place["in"]) =>
    operation.parameters.filter((place) => place.in === where && value(place) !== undefined);
  const headers: Record<string, string> = {};
  for (const place of inPlace("header")) headers[place.name.toLowerCase()] = simpleText(place, value(place));
  const pairs = inPlace("query").flatMap((place) => queryPairs(place, value(place)));
  const path = operation.path.split("/").map((segment) => filledSegment(segment, operation, value));
  const body =
    operation.body === null || !Object.hasOwn(args, operation.body.argument)
      ? undefined
      : args[operation.body.argument];
  if (body !== undefined) headers["content-type"] = operation.body!.type;
  return {
    method: operation.method,
    url: operation.base + path.join("/") + (pairs.length > 0 ? `?${pairs.join("&")}` : ""),
    headers,
    body: body === undefined ? null : encodedBody(body, operation.body!.type),
  };
}

function filledSegment(segment: string, { parameters }: HttpOperation, value: (place: Place) => unknown): string {
  let argument = "";
  const filled = segment.replaceAll(/\{([^{}]*)\}/g, (_place, name: string) => {
    const place = parameters.find((one) => one.in === "path" && one.name === name)!;
    argument = place.argument;
    return pathText(place, value(place));
  });
  return argument === "" ? segment : checkedSegment(filled, argument);
}
