import { spawn } from "node:child_process";
import { findAccess } from "../access.ts";
import { type Declared, runDeclared } from "../call-command.ts";
import { isSet, lastOf } from "../flags.ts";
import { CommandError, processTerminal, type Terminal } from "../terminal.ts";

const declared: Declared = {
  usage: "open [<id>]",
  about: "Opens the portal in a browser: the home page, or an approval (apr_… or its task's id).",
  flags: [
    { name: "print", boolean: true, description: "prints the address without opening it" },
    { name: "profile", takes: "<name>", description: "the profile (AOS_PROFILE)" },
    { name: "help", short: "h", boolean: true, description: "this text" },
  ],
  positionals: ["[id]"],
  examples: ["aos open tsk_01jd8x0000000000000000000a"],
};
export const { flags } = declared;

/** `aos open`. Answers the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runDeclared(declared, args, terminal, async ({ parsed, argument }) => {
    const { url } = await findAccess(terminal.env, { profile: lastOf(parsed, "profile") });
    const address = url + pageOf(argument(0));
    terminal.stdout.write(`${address}\n`);
    if (isSet(parsed, "print")) return 0;
    const program = process.platform === "darwin" ? "open" : "xdg-open";
    const opened = await new Promise<boolean>((resolve) => {
      const child = spawn(program, [address], { stdio: "ignore", detached: true });
      child.once("error", () => resolve(false));
      child.once("spawn", () => resolve(true));
      child.unref();
    });
    if (!opened)
      throw new CommandError(`Cannot open a browser: ${program} is not installed. Open the address yourself.`);
    return 0;
  });

function pageOf(id: string): string {
  if (id === "") return "/";
  if (!/^(tsk|apr)_[a-z0-9]+$/.test(id))
    throw new CommandError(`${JSON.stringify(id)} has no page. Give the id of a task or an approval.`);
  return `/approvals/${id}`;
}
