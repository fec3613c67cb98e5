import type { EvidenceRow } from "../agents/public.ts";
import type { TaskRow } from "./store.ts";

/**
 * What the end of a task says about its version's skill (governance: trust score): a run counts 1 when it completed and 0 when it failed, other ends do not
 * count; and how much of the answer stands on what was found, where the model said so. `ungrounded`: from 0 to 1.
 */
export function evidenceOfEnd({ id, version_id, skill, status }: TaskRow, ungrounded?: number): EvidenceRow[] {
  const of = { version_id, skill, id, quality: 1 };
  const run: EvidenceRow[] =
    status === "completed" || status === "failed" ? [{ ...of, channel: "runs", outcome: status === "completed" ? 1 : 0 }] : [];
  return ungrounded === undefined ? run : [...run, { ...of, channel: "groundedness", outcome: 1 - ungrounded }];
}
