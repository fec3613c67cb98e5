import { COMMANDS, type Command } from "./commands.ts";
import { commandHelp, help, version } from "./help.ts";
import { exits, processTerminal, type Terminal } from "./terminal.ts";

/** Finds the command that the arguments begin with, and runs it with the rest. Answers the exit code. */
async function main(given: readonly string[], terminal: Terminal): Promise<number> {
  const args = arranged(given);
  const first = args[0];
  if (first === undefined || (args.length === 1 && (first === "help" || first === "--help" || first === "-h"))) {
    terminal.stdout.write(help(COMMANDS));
    return exits.done;
  }
  if (first === "--version" || first === "-v" || first === "version") {
    terminal.stdout.write(`${await version()}\n`);
    return exits.done;
  }
  if (first === "__complete") return (await import("./complete.ts")).run(args.slice(1), terminal);
  if (first === "__names") return (await import("./names.ts")).refreshNames(args.slice(1), terminal.env);
  const command = longest(args);
  if (command !== undefined) return runCommand(command, args.slice(command.words.length), terminal);
  return (await import("./operations/dispatch.ts")).dispatch(args, terminal);
}

/** `aos help tasks cancel` as `aos tasks cancel --help`, and options that stand before the command behind it. */
function arranged(args: readonly string[]): readonly string[] {
  if (args[0] === "help" && args.length > 1) return [...args.slice(1), "--help"];
  const valued = args[0] === "--profile" || args[0] === "--key-file";
  const lead = valued ? 2 : args[0] === "--json" || /^--(profile|key-file)=/.test(args[0] ?? "") ? 1 : 0;
  return lead === 0 || args.length <= lead ? args : arranged([...args.slice(lead), ...args.slice(0, lead)]);
}

/** The command by hand with the most words that begins the arguments. */
function longest(args: readonly string[]): Command | undefined {
  return COMMANDS.filter(({ words }) => words.every((word, index) => args[index] === word)).sort(
    (a, b) => b.words.length - a.words.length,
  )[0];
}

async function runCommand(command: Command, rest: readonly string[], terminal: Terminal): Promise<number> {
  if (!command.ownHelp && (rest.includes("--help") || rest.includes("-h"))) {
    terminal.stdout.write(commandHelp(command));
    return exits.done;
  }
  const { run } = await command.load();
  return (await run(rest, terminal)) ?? exits.done;
}

/** Ctrl-C ends a command as cancelled; `aos start` drains instead. A reader of the output who goes away ends it quietly. */
function endWithTerminal(args: readonly string[]): void {
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) =>
    process.exit(code === "EPIPE" ? exits.done : exits.failed),
  );
  if (args[0] !== "start") process.once("SIGINT", () => process.exit(exits.cancelled));
}

const args = process.argv.slice(2);
endWithTerminal(args);
const code = await main(args, processTerminal());
if (code !== 0) process.exitCode = code;
