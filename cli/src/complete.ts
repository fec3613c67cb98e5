import { COMMANDS } from "./commands.ts";
import type { Flag } from "./flags.ts";
import { GROUPS } from "./help.ts";
import { isKind, namesOf } from "./names.ts";
import { operationCommands } from "./operations/dispatch.ts";
import { findOperation, type OperationCommand } from "./operations/names.ts";
import { callFlags, valueFlags } from "./operations/options.ts";
import type { Terminal } from "./terminal.ts";

/** A word that can stand at the cursor, and what it is. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** What shells ask for (`aos __complete <words up to the cursor>`): lines of `<word><tab><what it is>`, and `:file` where names of files fit. */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  const { candidates, files } = await candidatesFor(words, terminal.env);
  const lines = candidates.map(({ word, about }) => `${word}\t${about.replaceAll(/\s+/g, " ").slice(0, 80)}`);
  terminal.stdout.write([...lines, ...(files ? [":file"] : [])].map((line) => `${line}\n`).join(""));
  return 0;
}

/** The words that complete the last one of those typed. Names of what there is come from the service, where `env` leads to one. */
export async function candidatesFor(
  words: readonly string[],
  env: Terminal["env"] | null = null,
): Promise<{ readonly candidates: readonly Candidate[]; readonly files: boolean }> {
  const current = words.at(-1) ?? "";
  const before = joined(words.slice(0, -1));
  const commands = operationCommands();
  const command = await commandOf(before, commands);
  const starting = (list: readonly Candidate[], start = current): readonly Candidate[] =>
    list.filter(({ word }) => word.startsWith(start));
  if (command === undefined) return { candidates: starting(nextWords(before, commands)), files: false };
  const flags = await command.flags();
  const value = valueAt(flags, words);
  const profile = profileIn(words);
  const named = async (kind: string | undefined, args: readonly string[]): Promise<readonly Candidate[]> =>
    env === null || kind === undefined || !isKind(kind) ? [] : namesOf({ kind, args, profile }, env);
  if (value !== undefined) {
    const { flag, typed, head } = value;
    const values = (flag.values ?? (flag.boolean ? ["true", "false"] : [])).map((word) => ({
      word: head + word,
      about: flag.name,
    }));
    if (values.length === 0)
      values.push(
        ...(await named(kindOfFlag(flag), command.args)).map(({ word, about }) => ({ word: head + word, about })),
      );
    return { candidates: starting(values, head + typed), files: /<file>/.test(flag.takes ?? "") };
  }
  if (current.startsWith("-"))
    return {
      candidates: starting(flags.map(({ name, description }) => ({ word: `--${name}`, about: description }))),
      files: false,
    };
  const more = nextWords(before, commands);
  const own = command.words?.(command.args.length) ?? [];
  const known =
    more.length > 0 ? more : own.length > 0 ? own : await named(command.kinds[command.args.length], command.args);
  return { candidates: starting(known), files: command.files };
}

/** The words after what was typed that lead to a command, with what they are. */
function nextWords(before: readonly string[], commands: readonly OperationCommand[]): readonly Candidate[] {
  const all = [
    ...COMMANDS.map(({ words, summary }) => ({ words, summary })),
    ...commands.map(({ words, operation }) => ({ words, summary: operation.summary })),
  ];
  const fitting = all.filter(
    ({ words }) => words.length > before.length && before.every((word, index) => words[index] === word),
  );
  const found = new Map<string, string>();
  for (const { words, summary } of fitting) {
    const word = words[before.length] as string;
    const isLast = words.length === before.length + 1;
    const about = before.length === 0 && word in GROUPS ? (GROUPS[word] as string) : isLast ? summary : `${word} …`;
    if (!found.has(word) || isLast) found.set(word, about);
  }
  if (before.length === 0) found.set("help", "Show all commands");
  return [...found].map(([word, about]) => ({ word, about })).sort((a, b) => (a.word < b.word ? -1 : 1));
}

interface Known {
  readonly flags: () => Promise<readonly Flag[]>;
  /** Words typed after the command's own. */
  readonly args: readonly string[];
  /** What its arguments name. */
  readonly kinds: readonly string[];
  readonly files: boolean;
  readonly words?: (rest: number) => readonly Candidate[];
}

/** What the arguments of commands that are written by hand name. */
const argumentsByHand: Readonly<Record<string, readonly string[]>> = {
  "agents promote": ["agent"],
  "approvals approve": ["approval"],
  "approvals reject": ["approval"],
  "tasks dispatch": ["agent", "skill"],
  "tasks watch": ["task"],
};

/** What an option names: `--agents` agents. */
const kindOfFlag = ({ name, takes }: Flag): string | undefined =>
  takes === "<file>" ? undefined : name.replace(/s$/, "");

/** The profile that the words name. */
function profileIn(words: readonly string[]): string | undefined {
  const at = words.indexOf("--profile");
  return at < 0 ? words.find((word) => word.startsWith("--profile="))?.slice("--profile=".length) : words[at + 1];
}

/** The command that the words name, by hand or of an operation. */
async function commandOf(before: readonly string[], commands: readonly OperationCommand[]): Promise<Known | undefined> {
  const byHand = COMMANDS.filter(({ words }) => words.every((word, index) => before[index] === word)).sort(
    (a, b) => b.words.length - a.words.length,
  )[0];
  if (byHand !== undefined) {
    const isHost = byHand.area === "On this host" && byHand.words[0] !== "doctor";
    const shells =
      byHand.words[0] === "completion" ? ["bash", "zsh", "fish"].map((word) => ({ word, about: "shell" })) : [];
    return {
      flags: async () => (isHost ? hostFlags : ((await byHand.load()).flags ?? fileFlags)),
      args: before.slice(byHand.words.length),
      kinds: argumentsByHand[byHand.words.join(" ")] ?? [],
      files: byHand.words.join(" ") === "audit verify",
      words: (rest) => (rest === 0 ? shells : []),
    };
  }
  const found = findOperation(commands, before);
  if (found === undefined) return undefined;
  const { operation } = found.command;
  const args = before.slice(found.length);
  const kinds = operation.pathParameters.map(({ name }) => name);
  const enumerated = (place: number): readonly Candidate[] =>
    (operation.pathParameters[place]?.enum ?? []).map((word) => ({
      word,
      about: operation.pathParameters[place]?.name ?? "",
    }));
  return {
    flags: async () => [...valueFlags(operation), ...callFlags(operation)],
    args,
    kinds,
    files: false,
    words: enumerated,
  };
}

const named = (name: string, description: string, more: Partial<Flag> = {}): Flag => ({
  name,
  description,
  boolean: true,
  ...more,
});
const hostFlags: readonly Flag[] = [named("json", "as JSON"), named("help", "show help")];
const fileFlags: readonly Flag[] = [
  ...hostFlags,
  named("file", "the file", { boolean: false, short: "f", takes: "<file>" }),
  named("key-file", "a file with the key", { boolean: false, takes: "<file>" }),
];

/** The option whose value is being typed: after `--name`, or in `--name=`. Of lists the item after the last comma. */
function valueAt(
  flags: readonly Flag[],
  words: readonly string[],
): { flag: Flag; typed: string; head: string } | undefined {
  const [current = "", previous = "", one = ""] = [words.at(-1), words.at(-2), words.at(-3)];
  const inline = /^--([\w-]+)=(.*)$/s.exec(current);
  // bash splits at "=": --name, =, value.
  const [name, text, lead] = inline
    ? [inline[1], inline[2], `--${inline[1]}=`]
    : previous === "="
      ? [one, current, ""]
      : current === "="
        ? [previous, "", ""]
        : [previous, current, ""];
  const flag = flags.find(
    (each) =>
      `--${each.name}` === (inline ? `--${name}` : name) || (each.short !== undefined && `-${each.short}` === name),
  );
  if (flag === undefined || (flag.boolean && !inline && previous !== "=")) return undefined;
  const comma = flag.multiple ? (text ?? "").lastIndexOf(",") + 1 : 0;
  return { flag, typed: (text ?? "").slice(comma), head: lead + (text ?? "").slice(0, comma) };
}

/** Words without what stands before the command: options with their values. */
function joined(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => word.startsWith("-"));
  if (end === 0) return joined(words.slice(words[0] === "--profile" || words[0] === "--key-file" ? 2 : 1));
  return words;
}
