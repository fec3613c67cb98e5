import { readFile } from "node:fs/promises";
import { text as textOf } from "node:stream/consumers";

/** Where a command writes, and what it may know of its surroundings. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTTY: boolean;
  /** Whether standard error is a terminal: progress is shown there. Left out: it is none. */
  readonly showsProgress?: boolean;
  /** Whether a person can be asked: standard input and standard error are terminals. Left out: nobody can. */
  readonly canAsk?: boolean;
  /** Columns of the terminal that standard output is. */
  readonly columns?: number | undefined;
}

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const showsProgress = stderr.isTTY === true;
  return {
    stdin,
    stdout,
    stderr,
    env,
    showsProgress,
    isTTY: stdout.isTTY === true,
    canAsk: showsProgress && stdin.isTTY === true,
    columns: stdout.columns,
  };
}

export const now = (): number => performance.timeOrigin + performance.now();

/** Exit statuses: 0 done, 1 failed, 2 cancelled (Ctrl-C, or a question answered with no), 3 people are asked (`--on-question exit`), 4 not signed in. */
export const exits = { done: 0, failed: 1, cancelled: 2, asked: 3, notSignedIn: 4 } as const;

/** An error that the user can fix. The message is shown as it is. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
  readonly exit: number = exits.failed;
}

/** The user answered no, or pressed Ctrl-C. */
export class Cancelled extends CommandError {
  override readonly name = "Cancelled";
  override readonly exit = exits.cancelled;
}

/** There is no key, or it is not valid. */
export class NotSignedIn extends CommandError {
  override readonly name = "NotSignedIn";
  override readonly exit = exits.notSignedIn;
}

export interface Painter {
  added(text: string): string;
  removed(text: string): string;
  changed(text: string): string;
  faint(text: string): string;
  strong(text: string): string;
}

/** No colours if NO_COLOR is set (no-color.org) or the terminal is dumb. */
export function painter({ isTTY, env }: Pick<Terminal, "isTTY" | "env">): Painter {
  const colours = isTTY && !env.NO_COLOR && env.TERM !== "dumb";
  const style = (code: number) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { added: style(32), removed: style(31), changed: style(33), faint: style(2), strong: style(1) };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Escapes control characters, so that text from others cannot move the cursor, change colours or turn the direction of writing. */
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
    throw new CommandError(code === "ENOENT" ? `File not found: ${file}.` : `${file} cannot be read (${code}).`);
  }
}
