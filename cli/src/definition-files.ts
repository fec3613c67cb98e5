import { parseArgs } from "node:util";
import { parseDocument } from "yaml";
import type { Reply, Service } from "./http.ts";
import { CommandError, readInput, type Terminal } from "./terminal.ts";

/** What files define: the word that names it in a file, and where the service has it. */
export interface Kind {
  readonly noun: "agent" | "workflow";
  readonly path: string;
  /** How a draft is replaced. */
  readonly replace: "PATCH" | "PUT";
  readonly names: RegExp;
}

export const agents: Kind = {
  noun: "agent",
  path: "/v1/agents",
  replace: "PATCH",
  names: /^[a-z][a-z0-9-]{0,39}$/,
};
export const workflows: Kind = {
  noun: "workflow",
  path: "/v1/workflows",
  replace: "PUT",
  names: /^[a-z][a-z0-9_-]{0,63}$/,
};

/** A file, and the name of what it defines; null where it says none that can be one. */
export interface DefinitionFile {
  readonly kind: Kind;
  readonly file: string;
  readonly text: string;
  readonly name: string | null;
}

type Options = NonNullable<Parameters<typeof parseArgs>[0]>["options"];

/** Arguments of a command about files: `-f`, `--key-file`, `--json`, and what it takes besides. Throws a CommandError with the usage. */
export function readArguments(args: readonly string[], usage: string, more: Options = {}) {
  const options = {
    file: { type: "string", short: "f", multiple: true },
    "key-file": { type: "string" },
    profile: { type: "string" },
    json: { type: "boolean" },
    ...more,
  } as const satisfies Options;
  let values: Record<string, unknown>;
  try {
    ({ values } = parseArgs({ args: [...args], options }));
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n\n${usage}`);
  }
  const files = (values.file ?? []) as string[];
  if (files.length === 0) throw new CommandError(`No file given.\n\n${usage}`);
  return {
    files,
    keyFile: values["key-file"] as string | undefined,
    profile: values.profile as string | undefined,
    json: values.json === true,
    values,
  };
}

/** Reads files, `-` for standard input. Throws a CommandError where one cannot be read, or two define the same. */
export async function readDefinitionFiles(
  kind: Kind,
  files: readonly string[],
  terminal: Terminal,
): Promise<DefinitionFile[]> {
  const read: DefinitionFile[] = [];
  for (const file of files) {
    const text = await readInput(file, terminal);
    const name = nameIn(kind, text);
    const same = read.find((other) => name !== null && other.name === name);
    if (same)
      throw new CommandError(`${same.file} and ${file} both define the ${kind.noun} ${name}. Give one of them.`);
    read.push({ kind, file, text, name });
  }
  return read;
}

/** Only the name is looked for: whether the rest is right is for the service to say. */
function nameIn({ noun, names }: Kind, text: string): string | null {
  const document = parseDocument(text, { logLevel: "silent" });
  let name: unknown;
  try {
    name = document.get(noun);
  } catch {
    return null; // no map
  }
  return typeof name === "string" && names.test(name) ? name : null;
}

/** What the service would say if the file made something new; nothing is made. */
export function checkAsNew(service: Service, { kind, text }: DefinitionFile): Promise<Reply> {
  return service.call("POST", `${kind.path}?dry_run=true`, { yaml: text });
}
