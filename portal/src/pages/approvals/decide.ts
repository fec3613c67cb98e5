import { useState } from "react";
import { approve, readApproval, reject, requestChanges } from "../../api/approvals.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { useKept } from "../../api/queries.ts";
import { type Detail, refusalText } from "./words.ts";

/** What a person wants. */
export type Wish =
  | { readonly word: "approve"; readonly reason?: string; readonly edits?: Record<string, unknown> }
  | { readonly word: "reject"; readonly reason: string }
  | { readonly word: "send-back"; readonly note: string };

/** What came of it: it was recorded, or refused. What a recorded one came to is read from the approval, so that it is never older than the page. */
export type Said =
  | { readonly recorded: true }
  | { readonly recorded: false; readonly text: string; readonly problem: Problem };

const call = (shown: Detail, wish: Wish): Promise<Detail> => {
  // By the approval's own id and the digest of what was shown: the task may have a newer approval by now, and the decision is about this one.
  const bound = { approval: shown.approval_id, digest: shown.digest };
  if (wish.word === "approve")
    return approve({
      ...bound,
      ...(wish.reason ? { reason: wish.reason } : {}),
      ...(wish.edits ? { edits: wish.edits } : {}),
    });
  return wish.word === "reject"
    ? reject({ ...bound, reason: wish.reason })
    : requestChanges({ ...bound, note: wish.note });
};

/** Decides what was shown, keeps what the service says of it, and tells how it ended. `task`: whose approvals the page shows. */
export function useDecision({ task_id: task }: Pick<Detail, "task_id">) {
  const kept = useKept();
  const [busy, setBusy] = useState<Wish["word"] | null>(null);
  const [said, setSaid] = useState<(Said & { readonly of: string }) | null>(null);
  const keep = (approval: Detail): void => {
    for (const id of [approval.task_id, approval.approval_id]) kept.put(readApproval(id), approval);
    void kept.renew("/v1/approvals", "/v1/approvals/{approval}", "/v1/tasks");
  };
  /** Whether it was taken. `shown` is what the person saw when the choice was made, which may be older than what the page shows by now. */
  const decide = async (shown: Detail, wish: Wish): Promise<boolean> => {
    if (busy !== null) return false;
    setBusy(wish.word);
    const tell = (what: Said): void => setSaid({ ...what, of: shown.task_id });
    try {
      const approval = await call(shown, wish);
      keep(approval);
      tell({ recorded: true });
      return true;
    } catch (error) {
      const problem = asProblem(error);
      tell({ recorded: false, text: refusalText(problem), problem });
      void kept.renew("/v1/approvals/{approval}", "/v1/approvals");
      return false;
    } finally {
      setBusy(null);
    }
  };
  return { busy, said: said !== null && said.of === task ? said : null, decide, forget: () => setSaid(null) };
}
