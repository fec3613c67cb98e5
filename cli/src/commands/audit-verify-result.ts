import { readFile } from "node:fs/promises";
import { type ResultVerdict, verifyResult } from "@aos/proof";
import { CommandError, type Painter } from "../terminal.ts";
import type { GivenRecord, GivenVerdict } from "./audit-verify-record.ts";

// Whether a result is the one that a proved record commits to.

/** Holds the file with a result to a record whose proof was verified; null where no result was given, or the proof does not hold. */
export async function readVerifiedResult(
  file: string | undefined,
  given: GivenRecord,
  proof: GivenVerdict,
): Promise<ResultVerdict | null> {
  if (file === undefined) return null;
  if (given.shown === null)
    throw new CommandError(
      "--result needs the record's openings: pass the response of GET /v1/audit/events/{audit_ref} with --record.",
    );
  const resultText = await readFile(file, "utf8");
  return proof.verified ? verifyResult({ leafData: proof.leafData, openings: given.shown.openings, resultText }) : null;
}

/** The verdict for people; empty where there is none. */
export function describeResult(verdict: ResultVerdict | null, paint: Painter): string {
  if (verdict === null) return "";
  if (!verdict.verified) return `${paint.removed("Result NOT verified:")} ${verdict.reason}.\n`;
  const and = verdict.input ? ", and its input," : "";
  return `${paint.added("Result verified.")} State, output, failure and trust score of ${verdict.taskId}${and} match this record.\n`;
}

/** The verdict as `--json` shows it, beside that of the proof. */
export function resultAsJson(verdict: ResultVerdict | null): object {
  if (verdict === null) return {};
  if (!verdict.verified) return { result: { verified: false, reason: verdict.reason } };
  return { result: { verified: true, task_id: verdict.taskId, input: verdict.input } };
}
