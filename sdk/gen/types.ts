import openApiTypes, { astToString } from "openapi-typescript";
import type { Described, Document } from "./document.ts";

const head = "// Made by `npm run gen` from openapi/openapi.json. Not for editing.\n\n";

/**
 * The TypeScript of `paths`, `webhooks`, `components` and `operations`, by openapi-typescript. What types have no use for is left out before: the headers and
 * examples of answers, bounds of values, and, since every refusal is a `Problem`, the refusals one by one.
 */
export async function typesFile(document: Document): Promise<string> {
  const ast = await openApiTypes(pruned(document) as never, { silent: true, defaultNonNullable: false });
  return `${head}${shortened(astToString(ast))}`;
}

/** Without what says that something is absent, which changes no type that is asked of these, and with half the indentation. */
function shortened(text: string): string {
  return text
    .replaceAll(/^ +\w+\?: never;\n/gm, "")
    .replaceAll(/^ +(?:parameters|headers): \{\n(?: +\[name: string\]: unknown;\n)? +\};\n/gm, "")
    .replaceAll(/^(?: {4})+/gm, (indent) => " ".repeat(indent.length / 2));
}

/** The document without what no type comes of. */
function pruned(document: Document): object {
  const { schemas, parameters, responses } = document.components;
  const kept = Object.fromEntries(Object.entries(responses ?? {}).filter(([, response]) => !isRefusal(response)));
  const problem = {
    description: "A refusal.",
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
  };
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, described]) => [method, withoutRefusals(described)])),
  ]);
  const webhooks = Object.entries(document.webhooks).map(([event, { post }]) => [
    event,
    { post: deliveryOf(post as Described) },
  ]);
  return bare({
    ...document,
    paths: Object.fromEntries(paths),
    webhooks: Object.fromEntries(webhooks),
    components: { schemas, parameters, responses: { ...kept, Refusal: problem } },
  }) as object;
}

const isRefusal = (response: object): boolean =>
  "application/problem+json" in ((response as { content?: object }).content ?? {});

function withoutRefusals({ summary: _summary, description: _description, responses, ...rest }: Described): object {
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 400);
  return {
    ...rest,
    responses: { ...Object.fromEntries(successes), default: { $ref: "#/components/responses/Refusal" } },
  };
}

/** Of a delivery, its body: what its headers are for, `unwrap` does. */
function deliveryOf({ operationId, requestBody }: Described): object {
  return { operationId, requestBody, responses: { default: { description: "Any." } } };
}

/** Members of schemas, answers and parameters that are documented elsewhere, or not at all. */
const noise = new Set([
  "headers",
  "examples",
  "example",
  "links",
  "format",
  "pattern",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "maxItems",
]);
/** Under these, names are the names of things, not of members of a schema. */
const named = new Set(["properties", "schemas", "parameters", "responses", "paths", "webhooks"]);

function bare(value: unknown, ofNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => bare(one));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name]) => ofNames || !noise.has(name));
  return Object.fromEntries(members.map(([name, one]) => [name, bare(one, !ofNames && named.has(name))]));
}
