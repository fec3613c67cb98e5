import { createInterface } from "node:readline/promises";
import { Cancelled, CommandError, type Terminal } from "./terminal.ts";

/** Asks yes or no on the terminal; anything but y and yes is no, and the end of input is a change of mind. Throws where nobody can be asked. */
export async function confirmed(question: string, terminal: Terminal): Promise<boolean> {
  if (!terminal.canAsk)
    throw new CommandError("Nobody can be asked here: standard input is no terminal. --yes does it without being asked.");
  const answer = await lineOf(`${question} [y/N] `, terminal);
  return /^y(es)?$/i.test(answer.trim());
}

/** Asks for a line. Throws Cancelled at the end of input. */
export async function lineOf(question: string, { stdin, stderr }: Terminal): Promise<string> {
  const reader = createInterface({ input: stdin });
  stderr.write(question);
  try {
    const { value, done } = await reader[Symbol.asyncIterator]().next();
    if (done) throw new Cancelled("Cancelled.");
    return value;
  } finally {
    reader.close();
  }
}

type Raw = NodeJS.ReadableStream & { setRawMode?(on: boolean): unknown };

/** Asks for a line that is not shown while it is typed. Ctrl-C and Ctrl-D throw Cancelled. */
export async function hiddenLineOf(question: string, { stdin, stderr }: Terminal): Promise<string> {
  const raw = stdin as Raw;
  stderr.write(question);
  raw.setRawMode?.(true);
  let line = "";
  try {
    for await (const chunk of raw) {
      for (const character of String(chunk)) {
        if (character === "\r" || character === "\n") return line;
        if (character === "\u0003" || (character === "\u0004" && line === "")) throw new Cancelled("Cancelled.");
        if (character === "\u007f" || character === "\b") line = line.slice(0, -1);
        else if (character >= " ") line += character;
      }
    }
    throw new Cancelled("Cancelled.");
  } finally {
    raw.setRawMode?.(false);
    stderr.write("\n");
  }
}
