import type { OperationEntry } from "@aos/sdk/operations";
import { synonyms } from "../suggest.ts";

export interface OperationCommand {
  readonly operation: OperationEntry;
  /** Its name, after `aos`: `governance policies create`. */
  readonly words: readonly string[];
  /** Other names that mean it. */
  readonly aliases: readonly (readonly string[])[];
}

/** Verbs of operation ids that have a more usual name on command lines. */
const usual: Readonly<Record<string, string>> = { read: "get", change: "update" };
/** The verb that people who know the method would guess. */
const guessed: Readonly<Record<string, string>> = { POST: "create", PUT: "set", PATCH: "update", DELETE: "delete" };

/** `requestChanges` as people type it: `request-changes`. */
export const kebab = (name: string): string =>
  name
    .replaceAll(/[_\s]/g, "-")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase();

/**
 * The commands of operations: the words of the path without its parameters, then the verb of the operation's id: `GET /v1/agents/{agent}/versions`,
 * `agents.listVersions`, is `agents versions list`. Where the path ends with the verb, as `/cancel` does, it is not said twice. Of two operations that would
 * share a name, the one on a single thing keeps it and the one on many ends with its whole id. A name depends on nothing else, so that it stays as operations are added.
 */
export function commandsOf(operations: readonly OperationEntry[]): readonly OperationCommand[] {
  const named = operations.map((operation) => ({ operation, words: wordsOf(operation) }));
  const single = new Map<string, number>();
  for (const { operation, words } of named)
    single.set(said(words), Math.max(single.get(said(words)) ?? 0, operation.pathParameters.length));
  const settled = named.map(({ operation, words }) => {
    const shared = named.some((other) => other.operation !== operation && said(other.words) === said(words));
    const keeps = !shared || operation.pathParameters.length === single.get(said(words));
    return { operation, words: keeps ? words : [...words.slice(0, -1), kebab(operation.name)] };
  });
  const taken = new Set(settled.map(({ words }) => said(words)));
  const wishes = settled.map(({ operation, words }) => aliasesOf(operation, words));
  const wished = Map.groupBy(wishes.flat(), said);
  const free = (alias: readonly string[]): boolean => !taken.has(said(alias)) && wished.get(said(alias))?.length === 1;
  return settled.map((one, index) => ({ ...one, aliases: (wishes[index] ?? []).filter(free) }));
}

const said = (words: readonly string[]): string => words.join(" ");

function literalsOf({ path }: OperationEntry): string[] {
  return path
    .split("/")
    .slice(2)
    .filter((part) => !part.startsWith("{"));
}

function wordsOf(operation: OperationEntry): string[] {
  const literals = literalsOf(operation);
  const id = kebab(operation.name);
  const last = literals.at(-1) ?? "";
  const endsWithVerb = !operation.path.endsWith("}") && (id === last || id.startsWith(`${last}-`));
  if (endsWithVerb) return literals;
  const verb = id.split("-")[0] as string;
  return [...literals, usual[verb] ?? verb];
}

/** The id as words, what it would be called by its method, and, of reading, the noun alone. */
function aliasesOf(operation: OperationEntry, words: readonly string[]): string[][] {
  const literals = literalsOf(operation);
  const guess = guessed[operation.method];
  const aliases = [[operation.group, kebab(operation.name)], [operation.id]];
  if (guess !== undefined && words.length > literals.length) aliases.push([...literals, guess]);
  if (
    operation.method === "GET" &&
    words.length > literals.length &&
    literals.length > 1 &&
    !operation.path.endsWith("}")
  )
    aliases.push(literals);
  const own = new Set([said(words)]);
  return aliases.filter((alias) => !own.has(said(alias)) && own.add(said(alias)));
}

/** The command that the arguments begin with, the longest where several do, and how many of them are its words. Usual synonyms of verbs are understood. */
export function findOperation(
  commands: readonly OperationCommand[],
  args: readonly string[],
): { readonly command: OperationCommand; readonly length: number } | undefined {
  const names = new Map(
    commands.flatMap((command) => [command.words, ...command.aliases].map((words) => [said(words), command] as const)),
  );
  const typed = args.findIndex((arg) => arg.startsWith("-"));
  for (let length = Math.min(typed < 0 ? args.length : typed, 6); length > 0; length--) {
    const words = args.slice(0, length);
    const last = synonyms[words.at(-1) as string];
    const command =
      names.get(said(words)) ?? (last === undefined ? undefined : names.get(said([...words.slice(0, -1), last])));
    if (command !== undefined) return { command, length };
  }
  return undefined;
}
