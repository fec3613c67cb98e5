import { parseArgs } from "node:util";
import { parseDocument } from "yaml";
import type { Reply, Service } from "./http.ts";
import { CommandError, readInput, type Terminal } from "./terminal.ts";

/** An agent's file, and the name of the agent that it is about; null where it says none that can be one. */
export interface AgentFile {
  readonly file: string;
  readonly text: string;
  readonly agent: string | null;
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

/** Reads files, `-` for standard input. Throws a CommandError where one cannot be read, or two are about one agent. */
export async function readAgentFiles(files: readonly string[], terminal: Terminal): Promise<AgentFile[]> {
  const read: AgentFile[] = [];
  for (const file of files) {
    const text = await readInput(file, terminal);
    const agent = agentNameOf(text);
    const same = read.find((other) => agent !== null && other.agent === agent);
    if (same) throw new CommandError(`${same.file} and ${file} both define the agent ${agent}. Give one of them.`);
    read.push({ file, text, agent });
  }
  return read;
}

/** Only the name is looked for: whether the rest is right is for the service to say. */
function agentNameOf(text: string): string | null {
  const document = parseDocument(text, { logLevel: "silent" });
  let name: unknown;
  try {
    name = document.get("agent");
  } catch {
    return null; // no map
  }
  return typeof name === "string" && /^[a-z][a-z0-9-]{0,39}$/.test(name) ? name : null;
}

/** What the service would say if the file made a new agent; nothing is made. */
export function checkAsNew(service: Service, { text }: AgentFile): Promise<Reply> {
  return service.call("POST", "/v1/agents?dry_run=true", { yaml: text });
}
