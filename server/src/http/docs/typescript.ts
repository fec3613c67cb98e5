import type { DocumentedOperation } from "./model.ts";

/**
 * The example of an operation as a call of the SDK: parameters of path and query and the fields of the body in one object, what concerns the sending of the
 * call in a second one (sdk/README.md).
 */
export function typescript({ id, method, declared, described }: DocumentedOperation): string {
  const { example, needsRevision, output } = declared;
  const body = example?.body as Readonly<Record<string, unknown>> | undefined;
  const required = (
    (described.parameters ?? []) as { in?: string; name?: string; required?: boolean; example?: unknown }[]
  )
    .filter((one) => one.in === "query" && one.required === true)
    .map(({ name, example: value }) => [String(name), value ?? 1] as const);
  const input = { ...(example?.params as object | undefined), ...Object.fromEntries(required), ...body };
  const argument = Object.keys(input).length === 0 ? "" : literal(input);
  const options = needsRevision ? `${argument === "" ? "{}" : ""}, { ifMatch: etag }` : "";
  const call = `aos.${id}(${argument}${options})`;
  if (isList(output)) return `for await (const one of ${call}) {\n  console.log(one);\n}`;
  return method === "DELETE" && output === null ? `await ${call};` : `const answer = await ${call};`;
}

const isList = (output: unknown): boolean => {
  const properties = (output as { properties?: Record<string, unknown> } | null)?.properties;
  return properties !== undefined && Object.keys(properties).sort().join() === "data,has_more,next_cursor";
};

/** A value as TypeScript; short lists and objects on one line. */
function literal(value: unknown): string {
  const text = JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
  const onOneLine = (lines: string): string =>
    lines.length < 80 ? lines.replaceAll(/(?<=\[)\n\s*|\n\s*(?=\])/g, "").replaceAll(/\n\s*/g, " ") : lines;
  return onOneLine(text.replaceAll(/[{[]\n[^{}[\]]*\n\s*[}\]]/g, onOneLine));
}
