import { readFile } from "node:fs/promises";
import { parseVerifierKey, type VerifierKey } from "@aos/proof";

// What the parts of `aos audit verify` share.

/** Where a command writes, and what it may know of its surroundings. */
export interface CommandIo {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether standard output is a terminal: then colour (unless NO_COLOR) and progress. */
  readonly isTTY: boolean;
}

/** A mistake of the caller: exit status 2 and one line. */
export class UsageError extends Error {}

/** Reads files in pieces of this many bytes. */
export const chunkBytes = 1 << 20;

/** The value of `--key`: one verifier key, or a file of them. Throws UsageError. */
export async function readKeys(value: string | undefined): Promise<VerifierKey[]> {
  if (value === undefined) return [];
  const text = value.includes("+") ? value : await readFile(value, "utf8");
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) throw new UsageError(`--key: the file ${value} contains no key.`);
  try {
    return lines.map(parseVerifierKey);
  } catch (error) {
    throw new UsageError(`--key: ${(error as Error).message}.`);
  }
}

/**
 * The key that is named like the log that something claims to be of; a single key is taken as it is. Where no log can be read (undefined) it is the
 * first: the verification then names what is wrong with the file, and under none of the caller's keys could it succeed.
 */
export function keyFor(keys: readonly VerifierKey[], origin: string | undefined): VerifierKey | undefined {
  if (keys.length < 2 || origin === undefined) return keys[0];
  const key = keys.find(({ name }) => name === origin);
  if (!key) throw new UsageError(`--key: none of the ${keys.length} keys belongs to the log ${origin}.`);
  return key;
}

export interface Painter {
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  faint(text: string): string;
}

/** Colours on a terminal, unless NO_COLOR is set (no-color.org) or the terminal is dumb. */
export function painter({ isTTY, env }: CommandIo): Painter {
  const colours = isTTY && !env.NO_COLOR && env.TERM !== "dumb";
  const style = (code: number) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { good: style(32), bad: style(31), warn: style(33), faint: style(2) };
}

/** Findings that are told; `--json` tells more. */
const shown = 20;

/** What does not hold, one line each, of at most twenty. */
export function tellFindings(
  paint: Painter,
  findings: readonly {
    readonly kind: string;
    readonly message: string;
    readonly line: number | null;
    readonly recordId: string | null;
  }[],
  total: number,
): string[] {
  const lines = findings.slice(0, shown).map(({ kind, line, recordId, message }) => {
    const where = [line === null ? "" : `line ${line}`, recordId ?? ""].filter((part) => part !== "").join(", ");
    return `  ${paint.bad(kind.replace("_", " "))}: ${message}${where === "" ? "" : paint.faint(` (${where})`)}`;
  });
  return total > shown ? [...lines, `  and ${total - shown} more; --json lists up to 1,000`] : lines;
}

/** The findings of a report as `--json` shows them. */
export function findingsAsJson(
  findings: readonly {
    kind: string;
    leafIndex: number | null;
    line: number | null;
    recordId: string | null;
    message: string;
  }[],
): object[] {
  return findings.map((f) => ({
    kind: f.kind,
    leaf_index: f.leafIndex,
    line: f.line,
    record_id: f.recordId,
    message: f.message,
  }));
}
