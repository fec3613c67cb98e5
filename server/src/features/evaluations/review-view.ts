import { isoTime, timestamp } from "../../kernel/clock.ts";
import type { CallContext } from "../../kernel/context.ts";
import { isIntact } from "../tasks/public.ts";
import type { MonitorTally, ReviewRow } from "./review-store.ts";
import type { Monitor, Review } from "./schemas.ts";

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Cohen's kappa of pairs of verdicts (Cohen 1960): (agreed − expected) / (1 − expected); null where chance alone would always agree. */
export function kappaOf({
  pairs,
  both,
  neither,
  first_accepts,
  second_accepts,
}: Pick<MonitorTally, "pairs" | "both" | "neither" | "first_accepts" | "second_accepts">): number | null {
  if (pairs === 0) return null;
  const [first, second] = [first_accepts / pairs, second_accepts / pairs];
  const expected = first * second + (1 - first) * (1 - second);
  return expected === 1 ? null : ((both + neither) / pairs - expected) / (1 - expected);
}

export function monitorView(row: MonitorTally): Monitor {
  const { id, agent, skill, share, double_review_share, sampled, open, pairs, author, created_at } = row;
  return {
    ...{ monitor_id: id, agent, skill, share, double_review_share, sampled, open },
    accepted: shareOf(row.accepted, row.judged),
    agreement: { pairs, share: shareOf(row.both + row.neither, pairs), kappa: kappaOf(row) },
    stopped_reason: row.stopped_reason,
    created_by: author,
    created_at: isoTime(created_at),
  };
}

/** A review on the wire. What its task ended with is shown only where it is what the service wrote. */
export function reviewView(ctx: Pick<CallContext, "seals" | "scope">, row: ReviewRow): Review {
  const whole = isIntact(ctx, row);
  return {
    review_id: row.review_id,
    task_id: row.id,
    agent: row.agent,
    skill: row.skill,
    input: whole ? JSON.parse(row.input) : {},
    output: whole && row.output !== null ? JSON.parse(row.output) : null,
    state: row.open ? "open" : "judged",
    verdicts_required: row.verdicts_required,
    verdicts_received: row.verdicts.length,
    verdicts: row.open
      ? []
      : row.verdicts.map(({ reviewer, accepted, comment, submitted_at }) => ({
          ...{ reviewer, accepted, comment },
          submitted_at: timestamp(Date.parse(submitted_at)),
        })),
    sampled_at: isoTime(row.sampled_at),
  };
}
