import type { Option } from "commander";
import { type AosCommand, collect, find } from "./command.ts";
import { isKind, namesOf } from "./complete-names.ts";
import { addOperations, canonical } from "./operations/commands.ts";
import { handProgram, partsOf } from "./program.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

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

/** The words that complete the last one of those typed. Names of agents, tasks and others come from the service, if `env` leads to one. */
export async function candidatesFor(
  words: readonly string[],
  env: Terminal["env"] | null = null,
): Promise<{ readonly candidates: readonly Candidate[]; readonly files: boolean }> {
  const current = words.at(-1) ?? "";
  built ??= wholeProgram();
  const program = await built;
  const before = canonical(program, partsOf(words.slice(0, -1)).words);
  const command = await find(program, before).configure();
  const args = before.slice(command.words.length);
  const named = async (kind: string): Promise<readonly Candidate[]> =>
    env === null || !isKind(kind) ? [] : namesOf({ kind, args, profile: profileIn(words) }, env);
  const starting = (list: readonly Candidate[], start = current): readonly Candidate[] =>
    list.filter(({ word }) => word.startsWith(start));
  const value = valueAt(command.options, words);
  if (value !== undefined) {
    const { option, typed, head } = value;
    const about = option.name();
    const known = (option.argChoices ?? (option.isBoolean() ? ["true", "false"] : [])).map((word) => ({ word, about }));
    const files = /<file>/.test(option.flags);
    // What an option names: `--agents` agents.
    const values = known.length > 0 || files ? known : await named(about.replace(/s$/, ""));
    const whole = values.map((one) => ({ ...one, word: head + one.word }));
    return { candidates: starting(whole, head + typed), files };
  }
  if (current.startsWith("-")) {
    const options = command.options.map(({ long, description }) => ({ word: long ?? "", about: description }));
    return { candidates: starting([...options, { word: "--help", about: "show help" }]), files: false };
  }
  if (args.length === 0 && command.commands.length > 0)
    return { candidates: starting(subcommandsOf(command)), files: false };
  const argument = command.registeredArguments[args.length];
  if (argument === undefined) return { candidates: [], files: false };
  const about = argument.name();
  const known = argument.argChoices?.map((word) => ({ word, about })) ?? (await named(about));
  return { candidates: starting(known), files: about === "file" };
}

let built: Promise<AosCommand> | undefined;

async function wholeProgram(): Promise<AosCommand> {
  const program = await handProgram(processTerminal());
  addOperations(program);
  return program;
}

function subcommandsOf(command: AosCommand): readonly Candidate[] {
  const found = command.commands.map((one) => ({ word: one.name(), about: one.summary() || `${one.name()} …` }));
  const help = command.parent === null ? [{ word: "help", about: "Show all commands" }] : [];
  return [...found, ...help].sort((a, b) => (a.word < b.word ? -1 : 1));
}

function profileIn(words: readonly string[]): string | undefined {
  const at = words.indexOf("--profile");
  return at < 0 ? words.find((word) => word.startsWith("--profile="))?.slice("--profile=".length) : words[at + 1];
}

/** The option whose value is being typed: after `--name`, or in `--name=`. Of lists the item after the last comma. */
function valueAt(
  options: readonly Option[],
  words: readonly string[],
): { option: Option; typed: string; head: string } | undefined {
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
  const option = options.find(({ long, short }) => long === (inline ? `--${name}` : name) || short === name);
  if (option === undefined || (option.isBoolean() && !inline && previous !== "=")) return undefined;
  const comma = option.parseArg === collect ? (text ?? "").lastIndexOf(",") + 1 : 0;
  return { option, typed: (text ?? "").slice(comma), head: lead + (text ?? "").slice(0, comma) };
}
