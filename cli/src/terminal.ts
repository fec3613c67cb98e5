import { readFile } from "node:fs/promises";
import { text as textOf } from "node:stream/consumers";

/** Where a command writes, and what it may know of its surroundings. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether standard output is a terminal. */
  readonly isTTY: boolean;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  return { stdin, stdout, stderr, env, isTTY: stdout.isTTY === true };
}

/** Something the user can put right. The message is what the user reads; the exit status is 2. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

export interface Painter {
  added(text: string): string;
  removed(text: string): string;
  changed(text: string): string;
  faint(text: string): string;
  strong(text: string): string;
}

/** Colours on a terminal, unless NO_COLOR is set (no-color.org) or the terminal is dumb. */
export function painter({ isTTY, env }: Pick<Terminal, "isTTY" | "env">): Painter {
  const colours = isTTY && !env.NO_COLOR && env.TERM !== "dumb";
  const style = (code: number) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { added: style(32), removed: style(31), changed: style(33), faint: style(2), strong: style(1) };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** A text on one line with nothing in it that moves a cursor, changes colours or turns the direction of writing: what others wrote is shown, not obeyed. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Reads a file, or standard input where its name is `-`. Throws a CommandError that names it. */
export async function readInput(file: string, { stdin }: Pick<Terminal, "stdin">): Promise<string> {
  if (file === "-") return textOf(stdin);
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(code === "ENOENT" ? `There is no file ${file}.` : `${file} cannot be read (${code}).`);
  }
}
