import { run } from "./program.ts";
import { exits, processTerminal } from "./terminal.ts";

const args = process.argv.slice(2);
const terminal = processTerminal();

// A reader of the output who goes away ends the command quietly.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) =>
  process.exit(code === "EPIPE" ? exits.done : exits.failed),
);
// Ctrl-C ends a command as cancelled; `aos start` drains instead.
if (args[0] !== "start") process.once("SIGINT", () => process.exit(exits.cancelled));

const [first, ...rest] = args;
const code =
  first === "__complete"
    ? await (await import("./complete.ts")).run(rest, terminal)
    : first === "__names"
      ? await (await import("./complete-names.ts")).refreshNames(rest, terminal.env)
      : await run(args, terminal);
if (code !== 0) process.exitCode = code;
