import { Cancelled, CommandError, printable, type Terminal } from "./terminal.ts";

/** Anything but y and yes is no; the end of input throws Cancelled. Throws a CommandError if there is no terminal. */
export async function confirmed(question: string, terminal: Terminal): Promise<boolean> {
  if (!terminal.canAsk)
    throw new CommandError("Cannot ask for confirmation: standard input is not a terminal. Use --yes to skip it.");
  const answer = await lineOf(`${printable(question)} [y/N] `, terminal);
  return /^y(es)?$/i.test(answer.trim());
}

/** Asks for a line. Throws Cancelled at the end of input. */
export async function lineOf(question: string, { stdin, stderr }: Terminal): Promise<string> {
  stderr.write(question);
  const line = await nextLine(stdin);
  if (line === null) throw new Cancelled("Cancelled.");
  return line;
}

type Held = NodeJS.ReadableStream & { ref?(): unknown; unref?(): unknown };
interface Reader {
  readonly chunks: AsyncIterator<string | Uint8Array>;
  rest: string;
  ended: boolean;
}
/** Input that was read beyond the lines asked for. */
const readers = new WeakMap<object, Reader>();

/** Null at the end of the input. Does not keep the process running between calls. */
async function nextLine(stdin: Held): Promise<string | null> {
  const reader = readers.get(stdin) ?? { chunks: stdin[Symbol.asyncIterator](), rest: "", ended: false };
  readers.set(stdin, reader);
  stdin.ref?.();
  while (!reader.rest.includes("\n") && !reader.ended) {
    const { value, done } = await reader.chunks.next();
    if (done) reader.ended = true;
    else reader.rest += typeof value === "string" ? value : Buffer.from(value).toString();
  }
  stdin.unref?.();
  if (reader.rest === "") return null;
  const end = reader.rest.indexOf("\n");
  const line = end < 0 ? reader.rest : reader.rest.slice(0, end);
  reader.rest = end < 0 ? "" : reader.rest.slice(end + 1);
  return line.replace(/\r$/, "");
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
