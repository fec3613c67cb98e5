import { useState } from "react";
import { approve, readApproval, reject, requestChanges } from "../../api/approvals.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { useKept } from "../../api/queries.ts";
import { afterVote, type Detail, standing } from "./words.ts";

/** What a person wants. */
export type Wish =
  | { readonly word: "approve"; readonly reason?: string; readonly edits?: Record<string, unknown> }
  | { readonly word: "reject"; readonly reason: string }
  | { readonly word: "send-back"; readonly note: string };

/** What came of it, and how it is meant. */
export interface Said {
  readonly text: string;
  readonly tone: "good" | "warn" | "bad";
  /** Places of an edited input that were refused. */
  readonly problem?: Problem;
}

const call = (shown: Detail, wish: Wish): Promise<Detail> => {
  // By the approval's own id and the digest of what was shown: the task may have a newer approval by now, and the decision is about this one.
  const bound = { approval: shown.approval_id, digest: shown.digest };
  if (wish.word === "approve")
    return approve({ ...bound, ...(wish.reason ? { reason: wish.reason } : {}), ...(wish.edits ? { edits: wish.edits } : {}) });
  return wish.word === "reject" ? reject({ ...bound, reason: wish.reason }) : requestChanges({ ...bound, note: wish.note });
};

/** Why a decision was not taken. */
function refusalText(problem: Problem): string {
  if (problem.status === 0)
    return "The answer did not arrive, so it is not known whether your decision was recorded. Below is what the service says as soon as it answers.";
  if (problem.code === "already_decided") return "Somebody was faster: this was decided before your decision, which changed nothing.";
  if (problem.code === "digest_mismatch")
    return "What is proposed is no longer what you were shown. Nothing was decided. Look at it again.";
  if (problem.status === 429 || problem.status >= 500)
    return "The service could not record this right now. Nothing was decided. Try again in a moment.";
  return `Nothing was decided. ${problem.detail}`;
}

/** Decides what is shown, keeps what the service says of it, and tells how it ended. */
export function useDecision(shown: Detail | undefined, onDecided?: (approval: Detail) => void) {
  const kept = useKept();
  const [busy, setBusy] = useState<Wish["word"] | null>(null);
  const [said, setSaid] = useState<(Said & { readonly of: string }) | null>(null);
  const keep = (approval: Detail): void => {
    for (const id of [approval.task_id, approval.approval_id]) kept.put(readApproval(id), approval);
    void kept.renew("/v1/approvals", "/v1/approvals/{approval}", "/v1/tasks");
  };
  const decide = async (wish: Wish): Promise<boolean> => {
    if (shown === undefined || busy !== null) return false;
    setBusy(wish.word);
    const tell = (what: Said): void => setSaid({ ...what, of: shown.task_id });
    try {
      const approval = await call(shown, wish);
      keep(approval);
      const bad = standing(approval)[1] === "bad" && approval.status !== "rejected";
      tell({ text: afterVote(approval), tone: bad ? "bad" : approval.status === "pending" ? "warn" : "good" });
      onDecided?.(approval);
      return true;
    } catch (error) {
      const problem = asProblem(error);
      tell({ text: refusalText(problem), tone: "bad", problem });
      void kept.renew("/v1/approvals/{approval}", "/v1/approvals");
      return false;
    } finally {
      setBusy(null);
    }
  };
  return { busy, said: said !== null && said.of === shown?.task_id ? said : null, decide, forget: () => setSaid(null) };
}
