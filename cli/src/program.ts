import { type AosCommand, createProgram, place, version } from "./command.ts";
import { areas, handCommand } from "./commands.ts";
import groups from "./groups.json" with { type: "json" };
import type { Terminal } from "./terminal.ts";

/** The program with the commands that are written by hand. */
export async function handProgram(terminal: Terminal): Promise<AosCommand> {
  const program = createProgram(terminal).version(await version(), "-v, --version", "show the version");
  program.addHelpText(
    "after",
    `
aos <command> --help shows a command's options with an example.
Exit status: 0 done, 1 failed, 2 cancelled, 3 waits for people (--on-question exit), 4 not signed in.`,
  );
  const listed: AosCommand[] = [];
  for (const [area, commands] of Object.entries(areas))
    for (const { words, usage, summary, load } of commands) {
      const command = place(program, words).summary(summary).helpGroup(`${area}:`);
      for (const argument of usage.split(" ").slice(words.length)) command.argument(argument);
      command.load = load;
      listed.push(command);
    }
  for (const [group, about] of Object.entries(groups))
    listed.push(
      place(program, [group]).summary(about).description(about).helpGroup("Every operation of the service, by group:"),
    );
  program.listed = listed;
  return program;
}

/** Runs `aos`. Returns the exit status. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = await handProgram(terminal);
  const typed = args[0] === "help" ? [...args.slice(1), "--help"] : args[0] === "version" ? ["--version"] : args;
  const { lead, words, rest } = partsOf(typed);
  if (words.length === 0 || handCommand(words) !== undefined) return program.execute(typed);
  const { addOperations, canonical } = await import("./operations/commands.ts");
  addOperations(program);
  return program.execute([...lead, ...canonical(program, words), ...rest]);
}

/** Options before the command, words, and what follows them from the first option on. */
export function partsOf(args: readonly string[]): Readonly<Record<"lead" | "words" | "rest", readonly string[]>> {
  let start = 0;
  while (args[start]?.startsWith("-")) start += /^--(profile|key-file)$/.test(args[start] as string) ? 2 : 1;
  const after = args.slice(start);
  const end = after.findIndex((arg) => arg.startsWith("-"));
  const words = end < 0 ? after : after.slice(0, end);
  return { lead: args.slice(0, start), words, rest: after.slice(words.length) };
}
