import { spawn } from "node:child_process";
import { findAccess } from "../access.ts";
import type { AosCommand, Given } from "../command.ts";
import { CommandError } from "../terminal.ts";

export default (command: AosCommand): AosCommand =>
  command
    .description("Opens the portal in a browser: the home page, or an approval (apr_… or its task's id).")
    .option("--print", "prints the address without opening it")
    .option("--profile <name>", "the profile (AOS_PROFILE)")
    .examples("aos open tsk_01jd8x0000000000000000000a")
    .run(run);

async function run({ options, argument, terminal }: Given): Promise<number> {
  const { url } = await findAccess(terminal.env, { profile: options.profile });
  const address = url + pageOf(argument(0));
  terminal.stdout.write(`${address}\n`);
  if (options.print) return 0;
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  const opened = await new Promise<boolean>((resolve) => {
    const child = spawn(program, [address], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => resolve(true));
    child.unref();
  });
  if (!opened) throw new CommandError(`Cannot open a browser: ${program} is not installed. Open the address yourself.`);
  return 0;
}

function pageOf(id: string): string {
  if (id === "") return "/";
  if (!/^(tsk|apr)_[a-z0-9]+$/.test(id))
    throw new CommandError(`${JSON.stringify(id)} has no page. Give the id of a task or an approval.`);
  return `/approvals/${id}`;
}
