import { decisionCommand } from "../approval-decision.ts";
import { processTerminal, type Terminal } from "../terminal.ts";

const command = decisionCommand("approve");
export const { flags } = command.declared;

/** `aos approvals approve`. Answers the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  command.run(args, terminal);
