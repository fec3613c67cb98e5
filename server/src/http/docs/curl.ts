import type { DocsModel, DocumentedOperation, Json } from "./model.ts";

/** The example of an operation as a command for a POSIX shell; the key comes from the environment variable `AOS_KEY`. */
export function curl(
  { method, path, declared, described }: DocumentedOperation,
  { appUrl, resolve }: Pick<DocsModel, "appUrl" | "resolve">,
): string {
  const { example, needsRevision } = declared;
  const values = (example?.params ?? {}) as Readonly<Record<string, unknown>>;
  const address = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(values[name] ?? name)),
  );
  const required = ((described.parameters ?? []) as unknown[])
    .map(resolve)
    .filter((one) => one.in === "query" && one.required === true)
    .map(({ name, schema }) => `${String(name)}=${encodeURIComponent(sample(schema as Json))}`);
  const query = required.length > 0 ? `?${required.join("&")}` : "";
  const body =
    example?.body === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `-d ${quoted(JSON.stringify(example.body, null, 2).replaceAll("\n", "\n  "))}`,
        ];
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(`${appUrl}${address}${query}`)}`,
    `-H "Authorization: Bearer $AOS_KEY"`,
    ...(needsRevision ? [`-H 'If-Match: "3-json"'`] : []),
    ...body,
  ].join(" \\\n  ");
}

const sample = ({ enum: values, default: standard, minimum }: Json): string =>
  String(standard ?? (Array.isArray(values) ? values[0] : (minimum ?? "1")));

/** One word of a shell command, whatever it holds; left as it is where nothing in it means anything to a shell. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
