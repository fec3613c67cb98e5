import { parseDocument } from "yaml";
import { type AosCommand, collect, type Given } from "./command.ts";
import type { Reply, Service } from "./http.ts";
import { CommandError, readInput } from "./terminal.ts";

/** What files define: the word that names it in a file, and where the service has it. */
export interface Kind {
  readonly noun: "agent" | "workflow";
  readonly path: string;
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

export const kindOf = (command: AosCommand): Kind => (command.words[0] === "agents" ? agents : workflows);

export const fileOptions = (command: AosCommand): AosCommand => {
  const { noun } = kindOf(command);
  return command
    .requiredOption(
      "-f, --file <file>",
      `the ${noun}'s file (YAML or JSON); - for standard input; may be given several times`,
      collect,
    )
    .serviceOptions()
    .examples(`aos ${command.words.join(" ")} -f ${noun}.yaml`);
};

/** Reads files, `-` for standard input. Throws a CommandError where one cannot be read, or two define the same. */
export async function definitionFiles(command: AosCommand, { options, terminal }: Given): Promise<DefinitionFile[]> {
  const kind = kindOf(command);
  const read: DefinitionFile[] = [];
  for (const file of options.file as readonly string[]) {
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
