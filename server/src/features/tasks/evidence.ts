import type { WriteContext } from "../../kernel/context.ts";
import { type EvidenceRow, recordEvidence, replaceEvidence } from "../agents/public.ts";
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

/** Whether a task was run before and tried again: what that run said of it is there already. */
export const triedAgain = ({ attempts_before }: TaskRow): boolean => attempts_before > 0;

/** Records what the end of a task says. A task counts once: where it was tried again, by its latest run, also where that was another version's. */
export async function recordEnd(ctx: WriteContext, row: TaskRow, ungrounded?: number): Promise<void> {
  const rows = evidenceOfEnd(row, ungrounded);
  await (triedAgain(row) ? replaceEvidence(ctx, rows, row.agent) : recordEvidence(ctx, rows));
}
