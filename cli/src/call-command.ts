import { type Flag, isSet, lastOf, type Parsed, parseFlags, serviceFlags } from "./flags.ts";
import { connect, type Reply, type Service } from "./http.ts";
import { flagLines } from "./operations/usage.ts";
import { columnsOf } from "./output/text.ts";
import { exitOf, problemOf, tellProblem } from "./problems.ts";
import { CommandError, painter, type Terminal, telling } from "./terminal.ts";

/** What a command written by hand declares of itself. */
export interface Declared {
  /** `login [options]`. */
  readonly usage: string;
  /** What it does, in a few lines. */
  readonly about: string;
  readonly flags: readonly Flag[];
  /** Lines of a shell that work. */
  readonly examples?: readonly string[];
  /** Names of its arguments; those in brackets may be left out. */
  readonly positionals?: readonly string[];
  readonly open?: boolean;
}

/** What such a command runs with. */
export interface Given {
  readonly parsed: Parsed;
  readonly terminal: Terminal;
  readonly json: boolean;
  /** An argument by its place; an empty text where it was left out. */
  readonly argument: (index: number) => string;
}

/** Reads arguments, answers `--help`, and runs the work; what the user can put right is told. Answers the exit status. */
export function runDeclared(
  declared: Declared,
  args: readonly string[],
  terminal: Terminal,
  work: (given: Given) => Promise<number>,
): Promise<number> {
  return telling(terminal, async () => {
    const help = `aos ${wordsOf(declared)} --help shows its options.`;
    const parsed = parseFlags(args, declared.flags, { help, open: declared.open === true });
    if (isSet(parsed, "help")) {
      terminal.stdout.write(declaredHelp(declared, terminal));
      return 0;
    }
    const names = declared.positionals ?? [];
    const missing = names.slice(parsed.positionals.length).find((name) => !name.startsWith("["));
    if (missing !== undefined)
      throw new CommandError(`<${missing}> is missing.\n\nUsage: aos ${declared.usage}\n${help}`);
    const empty = names.find((name, at) => !name.startsWith("[") && parsed.positionals[at] === "");
    if (empty !== undefined) throw new CommandError(`<${empty}> is empty.\n\nUsage: aos ${declared.usage}\n${help}`);
    const more = parsed.positionals[names.length];
    if (more !== undefined)
      throw new CommandError(
        `${JSON.stringify(more)} is an unexpected argument.\n\nUsage: aos ${declared.usage}\n${help}`,
      );
    return work({
      parsed,
      terminal,
      json: isSet(parsed, "json"),
      argument: (index) => parsed.positionals[index] ?? "",
    });
  });
}

const wordsOf = ({ usage }: Declared): string =>
  usage
    .split(" ")
    .filter((word) => /^[a-z]/.test(word))
    .join(" ");

/** The help of a command that is written by hand. */
function declaredHelp({ usage, about, flags, examples = [] }: Declared, terminal: Terminal): string {
  const paint = painter(terminal);
  const lines = flagLines(flags, () => false, Math.min(columnsOf(terminal) ?? 120, 120));
  const shown =
    examples.length === 0
      ? []
      : ["", paint.strong(examples.length > 1 ? "Examples" : "Example"), ...examples.map((line) => `  ${line}`)];
  return `${[`Usage: aos ${usage}`, "", about, "", paint.strong("Options"), ...lines, ...shown].join("\n")}\n`;
}

/** The service of the profile and key that the options name. */
export const serviceFor = ({ parsed, terminal }: Given): Promise<Service> =>
  connect(terminal, { profile: lastOf(parsed, "profile"), keyFile: lastOf(parsed, "key-file") });

/** What went wrong, told as the user wants it; null where the call went well. Answers the exit status to end with. */
export function refused(reply: Reply, { terminal, json }: Given, profile: string): number | null {
  const problem = problemOf(reply);
  if (problem === null) return null;
  if (!json || reply.body === undefined) return tellProblem(problem, terminal, profile);
  terminal.stderr.write(`${JSON.stringify(reply.body)}\n`);
  return exitOf(problem);
}

export { serviceFlags };
