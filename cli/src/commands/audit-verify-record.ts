import {
  canonicalForm,
  compareShown,
  formatVerifierKey,
  type ProofVerdict,
  repeatedName,
  type VerifierKey,
  verifyProof,
} from "@aos/proof";
import { membersOf } from "../json.ts";
import { counted } from "../output/text.ts";
import { type Painter, printable } from "../terminal.ts";

// Verifies one record by its proof.

export interface GivenRecord {
  /** What the proof has to be of. */
  readonly leafData: string;
  /** The members that stand in the file beside the leaf data, for people to read; null where the file holds nothing but leaf data. */
  readonly shown: Readonly<Record<string, unknown>> | null;
  /** A member name that occurs twice in one object of the file, which makes it ambiguous; null if none does. */
  readonly repeated: string | null;
}

/** What came of it, with the leaf that was verified and the members of the file that it says nothing of. */
export type GivenVerdict =
  | (Extract<ProofVerdict, { verified: true }> & { readonly leafData: string; readonly unproved: readonly string[] })
  | Extract<ProofVerdict, { verified: false }>;

/**
 * Reads a file with a record. Of an answer of `GET /v1/audit/events/{audit_ref}` the leaf data is the member `leaf_data`; everything else is leaf data itself: as it
 * is, without a last newline that an editor or a shell added (canonical JSON has none), indented JSON brought to its canonical form.
 */
export function readRecord(text: string): GivenRecord {
  const whole = text.replace(/\r?\n$/, "");
  const canonical = canonicalForm(whole);
  if (canonical === undefined) return { leafData: whole, shown: null, repeated: null };
  const repeated = repeatedName(whole);
  const shown = membersOf(whole);
  const leafData = shown.leaf_data;
  return typeof leafData === "string" ? { leafData, shown, repeated } : { leafData: canonical, shown: null, repeated };
}

/** Verifies the leaf data by its proof, and that all which the file shows of the record is what the leaf says. */
export async function verifyRecord(
  proofText: string,
  { leafData, shown, repeated }: GivenRecord,
  key: VerifierKey,
): Promise<GivenVerdict> {
  const verdict = await verifyProof({ proofText, leafData, publicKey: key });
  if (!verdict.verified) return verdict;
  if (repeated !== null)
    return refused(`${named(repeated)} occurs twice in one object of the file, so the file contradicts itself`);
  const options = { index: verdict.index, key: formatVerifierKey(key) };
  const { differing, unproved } =
    shown === null ? { differing: null, unproved: [] } : compareShown(shown, leafData, options);
  if (differing !== null) return refused(`what stands as ${named(differing)} differs from the log's record`);
  return { ...verdict, leafData, unproved };
}

const refused = (reason: string): GivenVerdict => ({ verified: false, part: "inclusion", reason });

/** A member's name in a sentence: as it is where it is a plain word. */
const named = (name: string): string => (/^\w+$/.test(name) ? name : printable(JSON.stringify(name)));

export function proofAsJson(verdict: GivenVerdict): object {
  if (!verdict.verified) return { kind: "proof", verified: false, part: verdict.part, reason: verdict.reason };
  const { checkpoint, index, leafData, unproved } = verdict;
  return {
    kind: "proof",
    verified: true,
    origin: checkpoint.origin,
    leaf_index: index,
    tree_size: checkpoint.size,
    leaf_data: leafData,
    unproved,
  };
}

/** The verdict for people: with the leaf itself, which is what was verified, whatever file it came in. */
export function describeProof(verdict: GivenVerdict, paint: Painter, isTTY: boolean): string {
  if (!verdict.verified) return `${paint.removed("NOT verified.")} ${verdict.part}: ${verdict.reason}.\n`;
  const { checkpoint, index, leafData, unproved } = verdict;
  const lines = [
    `${paint.added("Verified.")} The record is number ${index} of the log ${checkpoint.origin}, which has ${counted(checkpoint.size, "record")}.`,
    isTTY ? printable(leafData) : leafData,
  ];
  if (unproved.length > 0)
    lines.push(paint.changed(`Not in the log, so not verified: ${unproved.map(named).join(", ")}.`));
  return `${lines.join("\n")}\n`;
}
