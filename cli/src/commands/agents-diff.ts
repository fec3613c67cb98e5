import { compareFiles } from "../comparing.ts";
import { agents } from "../definition-files.ts";
import { processTerminal, type Terminal } from "../terminal.ts";

const usage = `Usage: aos agents diff -f <file> [-f <file>…] [--profile <name>] [--key-file <file>] [--json]

Shows how an agent's draft would change if the file were applied. Nothing is changed.

  -f, --file    the agent's file (YAML); - for standard input
  --key-file    a file that holds the key; else AOS_KEY, else the one of aos login
  --profile     whose key is taken
  --json        one JSON object a line for each file

The service is the one at AOS_URL, else the profile's, else at http://127.0.0.1:4000. NO_COLOR turns colours off.
Exit status, as diff's: 0 no difference, 1 a difference or a new agent, 2 a fault; 4 not signed in.
`;

/** `aos agents diff`. Answers the exit status: 0 no difference, 1 a difference, 2 a fault, 4 not signed in. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  compareFiles(agents, usage, args, terminal);
