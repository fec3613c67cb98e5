import { COMMANDS } from "./commands.ts";
import { commandHelp, help, unknownCommand, version } from "./help.ts";

/** Finds the command with the most words that begins the arguments, and runs it with the rest. Answers the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const first = args[0];
  if (first === undefined || first === "help" || first === "--help" || first === "-h") {
    process.stdout.write(help(COMMANDS));
    return 0;
  }
  if (first === "--version" || first === "-v" || first === "version") {
    process.stdout.write(`${await version()}\n`);
    return 0;
  }
  const command = COMMANDS.filter(({ words }) => words.every((word, index) => args[index] === word)).sort(
    (a, b) => b.words.length - a.words.length,
  )[0];
  if (command === undefined) {
    process.stderr.write(unknownCommand(args, COMMANDS));
    return 1;
  }
  const rest = args.slice(command.words.length);
  if (!command.ownHelp && (rest.includes("--help") || rest.includes("-h"))) {
    process.stdout.write(commandHelp(command));
    return 0;
  }
  const { run } = await command.load();
  return (await run(rest)) ?? 0;
}

const code = await main(process.argv.slice(2));
if (code !== 0) process.exitCode = code;
