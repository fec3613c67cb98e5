import { readFile } from "node:fs/promises";
import { type CosignerKey, FormatError, openCosignature, parseCosignerKey } from "@aos/proof";
import { CommandError, type Painter } from "../terminal.ts";

// What `aos audit verify --witness` does: looks for cosignatures of witnesses that the caller trusts.

/** Whether a witness cosigned a checkpoint. */
export interface WitnessVerdict {
  readonly witness: string;
  /** When, by its own clock; null: it did not. */
  readonly cosignedAt: Date | null;
  readonly reason: string | null;
}

/** The values of `--witness`: each the verifier key of a witness, or a file of such keys, one a line. Throws CommandError. */
export async function readWitnesses(values: readonly string[]): Promise<CosignerKey[]> {
  const texts = await Promise.all(values.map((value) => (value.includes("+") ? value : readFile(value, "utf8"))));
  const lines = texts.flatMap((text) => text.split("\n")).filter((line) => line.trim() !== "");
  if (values.length > 0 && lines.length === 0) throw new CommandError("--witness: the file contains no key.");
  try {
    return lines.map(parseCosignerKey);
  } catch (error) {
    throw new CommandError(`--witness: ${(error as Error).message}.`);
  }
}

/** Looks for a cosignature of each witness on a checkpoint; all of them are wanted. Undefined: no checkpoint could be read, so nobody cosigned it. */
export function verifyWitnesses(
  checkpoint: string | undefined,
  witnesses: readonly CosignerKey[],
): Promise<WitnessVerdict[]> {
  return Promise.all(
    witnesses.map(async (key): Promise<WitnessVerdict> => {
      const witness = key.name;
      try {
        if (checkpoint === undefined) throw new FormatError("no checkpoint could be read");
        const { timestamp } = await openCosignature(checkpoint, key);
        return { witness, cosignedAt: new Date(timestamp * 1000), reason: null };
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
        return { witness, cosignedAt: null, reason: error.message };
      }
    }),
  );
}

/** Whether every witness cosigned. */
export const allCosigned = (verdicts: readonly WitnessVerdict[]): boolean =>
  verdicts.every(({ reason }) => reason === null);

/** One line for each witness. */
export function describeWitnesses(verdicts: readonly WitnessVerdict[], paint: Painter): string {
  const lines = verdicts.map(({ witness, cosignedAt, reason }) =>
    cosignedAt === null
      ? `${paint.removed("NOT cosigned")} by ${witness}: ${reason}.`
      : `${paint.added("Cosigned")} by ${witness} at ${cosignedAt.toISOString().slice(0, 19)}Z: the newest head of this log that it knew.`,
  );
  return lines.map((line) => `${line}\n`).join("");
}

/** The same for `--json`, with what it means for the whole; nothing where no witness was asked for. */
export function withWitnesses(result: { readonly verified?: unknown }, verdicts: readonly WitnessVerdict[]): object {
  if (verdicts.length === 0) return result;
  const witnesses = verdicts.map(({ witness, cosignedAt, reason }) => ({
    witness,
    cosigned_at: cosignedAt?.toISOString() ?? null,
    reason,
  }));
  return { ...result, verified: result.verified === true && allCosigned(verdicts), witnesses };
}
