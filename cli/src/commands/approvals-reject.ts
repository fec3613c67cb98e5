import { decisionCommand } from "../approval-decision.ts";
import { processTerminal, type Terminal } from "../terminal.ts";

const command = decisionCommand("reject");
export const { flags } = command.declared;

/** `aos approvals reject`. Answers the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  command.run(args, terminal);
