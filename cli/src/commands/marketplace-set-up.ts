import { type Declared, serviceFlags } from "../call-command.ts";
import { installId, runMarketplace } from "../marketplace/calls.ts";
import { storyOf } from "../marketplace/installing.ts";
import { setUp } from "../marketplace/set-up.ts";
import { processTerminal, type Terminal } from "../terminal.ts";

const declared: Declared = {
  usage: "marketplace set-up <install>",
  about: `Follows the next steps of an install, named by its listing's name or its id (ins_…): trains it, runs its evaluation, and deploys it where its gate
opens. What people have to do is named, and the command goes on from there when it is called again.`,
  flags: [...serviceFlags.filter(({ name }) => name !== "json")],
  positionals: ["install"],
  examples: ["aos marketplace set-up support-routing"],
};
export const { flags } = declared;

/** `aos marketplace set-up`. Returns the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runMarketplace(declared, args, terminal, async ({ argument, json }, service) =>
    setUp(storyOf(terminal, service, json), await installId(service, argument(0))),
  );
