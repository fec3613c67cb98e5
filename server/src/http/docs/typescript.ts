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
  const argument = Object.keys(input).length === 0 ? "" : literal(input, 0);
  const options = needsRevision ? `${argument === "" ? "{}" : ""}, { ifMatch: etag }` : "";
  const call = `aos.${id}(${argument}${options})`;
  if (isList(output)) return `for await (const one of ${call}) {\n  console.log(one);\n}`;
  return method === "DELETE" && output === null ? `await ${call};` : `const answer = await ${call};`;
}

const isList = (output: unknown): boolean => {
  const properties = (output as { properties?: Record<string, unknown> } | null)?.properties;
  return properties !== undefined && Object.keys(properties).sort().join() === "data,has_more,next_cursor";
};

const width = 60;

/** A value as TypeScript: on one line where that is short. */
function literal(value: unknown, depth: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const pad = "  ".repeat(depth + 1);
  const list = Array.isArray(value);
  const parts = list
    ? value.map((one) => literal(one, depth + 1))
    : Object.entries(value).map(
        ([name, one]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: ${literal(one, depth + 1)}`,
      );
  const [open, close] = list ? ["[", "]"] : ["{", "}"];
  const line = list ? `[${parts.join(", ")}]` : `{ ${parts.join(", ")} }`;
  if (parts.length === 0) return open + close;
  if (line.length + depth * 2 <= width && !line.includes("\n")) return line;
  return `${open}\n${parts.map((part) => `${pad}${part},\n`).join("")}${"  ".repeat(depth)}${close}`;
}
