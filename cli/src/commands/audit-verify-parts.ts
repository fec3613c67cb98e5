import { readFile } from "node:fs/promises";
import { parseVerifierKey, type VerifierKey } from "@aos/proof";
import { CommandError, type Painter } from "../terminal.ts";

/** Reads files in pieces of this many bytes. */
export const chunkBytes = 1 << 20;

/** The value of `--key`: one verifier key, or a file of them. Throws CommandError. */
export async function readKeys(value: string | undefined): Promise<VerifierKey[]> {
  if (value === undefined) return [];
  const text = value.includes("+") ? value : await readFile(value, "utf8");
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) throw new CommandError(`--key: the file ${value} contains no key.`);
  try {
    return lines.map(parseVerifierKey);
  } catch (error) {
    throw new CommandError(`--key: ${(error as Error).message}.`);
  }
}

/**
 * The key that is named like the log that something claims to be of; a single key is taken as it is. Where no log can be read (undefined) it is the
 * first: the verification then names what is wrong with the file, and under none of the caller's keys could it succeed.
 */
export function keyFor(keys: readonly VerifierKey[], origin: string | undefined): VerifierKey | undefined {
  if (keys.length < 2 || origin === undefined) return keys[0];
  const key = keys.find(({ name }) => name === origin);
  if (!key) throw new CommandError(`--key: none of the ${keys.length} keys belongs to the log ${origin}.`);
  return key;
}

const shown = 20;

/** At most twenty lines. */
export function describeFindings(
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
    return `  ${paint.removed(kind.replace("_", " "))}: ${message}${where === "" ? "" : paint.faint(` (${where})`)}`;
  });
  return total > shown ? [...lines, `  and ${total - shown} more; --json lists up to 1,000`] : lines;
}

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
