import type { OperationEntry } from "../src/operation.ts";
import { type Document, operationsOf } from "./document.ts";
import { entryOf } from "./operations.ts";

const head = "// Made by `npm run gen` from openapi/openapi.json. Not for editing.\n";

/** The interface of the client: one member for each group, and in it one for each operation, with its words. Types only. */
export function methodsFile(document: Document): string {
  const groups = groupsOf(document);
  const codes = Object.keys(document.components.examples ?? {}).map((code) => `  | ${JSON.stringify(code)}`);
  const kinds = [
    ...new Set(groups.flatMap(([, entries]) => entries.flatMap(kindsOf)).map((kind) => kind.replace(/<.*/, ""))),
  ].sort();
  return [
    `${head}import type { ${kinds.join(", ")} } from "../methods.ts";\n`,
    ...groups.map(([group, entries]) => interfaceOf(group, entries)),
    `/** Every operation of the service, by group and name. */\nexport interface Operations {`,
    ...groups.map(([group]) => `  readonly ${group}: ${pascal(group)}Operations;`),
    "}\n",
    `/** The codes of the problems that calls can meet. Further ones may come. */\nexport type ProblemCode =\n${codes.join("\n")};\n`,
  ].join("\n");
}

/** What the client needs to send a call: as little as that, since browsers load it. */
export function routesFile(document: Document): string {
  const lines = groupsOf(document).flatMap(([, entries]) =>
    entries.map((entry) => `  ${JSON.stringify(entry.id)}: ${routeOf(entry)},`),
  );
  return [
    `${head}import type { Route } from "../route.ts";`,
    'import type { OperationId } from "./operations.ts";',
    "",
    "/** Where each operation is reached, by id. */",
    `export const routes: Readonly<Record<OperationId, Route>> = {\n${lines.join("\n")}\n};`,
    "",
  ].join("\n");
}

function groupsOf(document: Document): [string, OperationEntry[]][] {
  return [
    ...Map.groupBy(
      operationsOf(document).map((addressed) => entryOf(document, addressed)),
      ({ group }) => group,
    ),
  ];
}

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function interfaceOf(group: string, entries: readonly OperationEntry[]): string {
  const members = entries.map((entry) => `${wordsOf(entry)}\n  readonly ${entry.name}: ${kindsOf(entry).join(" & ")};`);
  return `/** The operations of the group \`${group}\`. */\nexport interface ${pascal(group)}Operations {\n${members.join("\n")}\n}\n`;
}

function wordsOf({ summary, description, method, path }: OperationEntry): string {
  const lines = [
    ...(description.startsWith(summary) ? [] : [`${summary}.`, ""]),
    ...description.split("\n"),
    "",
    `\`${method} ${path}\``,
  ];
  return `  /**\n${lines.map((line) => `   * ${line.replaceAll("*/", "*\\/")}`.trimEnd()).join("\n")}\n   */`;
}

/** How an operation is called. */
function kindsOf({ id, method, paginated, streams, ifNoneMatch, answer }: OperationEntry): string[] {
  const name = JSON.stringify(id);
  const representations = answer.types.filter((type) => type !== "text/event-stream").length;
  const forms = [...(streams ? [`Stream<${name}>`] : []), ...(representations > 1 ? [`Represented<${name}>`] : [])];
  if (method !== "GET") return [...forms, `Change<${name}>`];
  return [...forms, ...(ifNoneMatch ? [`Conditional<${name}>`] : []), paginated ? `List<${name}>` : `Read<${name}>`];
}

function routeOf({ method, path, body, pathParameters, queryParameters, streams }: OperationEntry): string {
  const names = new Set(pathParameters.map(({ name }) => name));
  const both = (body?.fields ?? []).filter(({ name, required }) => required && names.has(name)).map(({ name }) => name);
  const query = body === null ? [] : queryParameters.map(({ name }) => name);
  const yaml = body?.types.includes("application/yaml") === true;
  const clash = body?.fields.find(({ name }) => query.includes(name) || name === "body" || (yaml && name === "yaml"));
  if (clash)
    throw new Error(
      `${method} ${path}: the field ${clash.name} of the body has a name that the client cannot tell from others`,
    );
  const more = {
    ...(body === null ? {} : { body: body.required ? "required" : "optional" }),
    ...(yaml ? { yaml } : {}),
    ...(query.length > 0 ? { query } : {}),
    ...(both.length > 0 ? { both } : {}),
    ...(streams ? { streams } : {}),
  };
  return JSON.stringify(Object.keys(more).length === 0 ? [method, path] : [method, path, more]);
}
