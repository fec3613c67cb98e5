import { isoTime, timestamp } from "../../../kernel/clock.ts";
import type { CallContext } from "../../../kernel/context.ts";
import type { StoredRow } from "../../../resources/rows.ts";
import { isIntact, taskJson } from "../../tasks/public.ts";
import type { Monitor, Review } from "../schemas.ts";
import type { ReviewRow } from "./store.ts";

/** What became of what a monitor drew. `both` and `neither`: pairs of verdicts that both accept, or both reject. */
interface Tally {
  readonly sampled: number;
  readonly open: number;
  readonly judged: number;
  readonly accepted: number;
  readonly both: number;
  readonly neither: number;
  readonly pairs: number;
  readonly first_accepts: number;
  readonly second_accepts: number;
}
export interface MonitorResults {
  readonly tally: Tally;
}
export type MonitorRow = StoredRow<"review_monitors", object> & MonitorResults;

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Cohen's kappa of pairs of verdicts (Cohen 1960): (agreed − expected) / (1 − expected); null where chance alone would always agree. */
export function kappaOf({
  pairs,
  both,
  neither,
  first_accepts,
  second_accepts,
}: Pick<Tally, "pairs" | "both" | "neither" | "first_accepts" | "second_accepts">): number | null {
  if (pairs === 0) return null;
  const [first, second] = [first_accepts / pairs, second_accepts / pairs];
  const expected = first * second + (1 - first) * (1 - second);
  return expected === 1 ? null : ((both + neither) / pairs - expected) / (1 - expected);
}

export function monitorView({ tally, ...row }: MonitorRow): Monitor {
  const { id, agent, skill, share, double_review_share, author, created_at } = row;
  const { sampled, open, pairs } = tally;
  return {
    monitor_id: id,
    agent,
    skill,
    share,
    double_review_share,
    sampled,
    open,
    accepted: shareOf(tally.accepted, tally.judged),
    agreement: { pairs, share: shareOf(tally.both + tally.neither, pairs), kappa: kappaOf(tally) },
    stopped_reason: row.stopped_reason,
    created_by: author,
    created_at: isoTime(created_at),
  };
}

/** Input and output are shown only if the seal of the task holds. */
export function reviewView(ctx: Pick<CallContext, "seals" | "scope">, row: ReviewRow): Review {
  const whole = isIntact(ctx, row);
  return {
    review_id: row.review_id,
    task_id: row.id,
    agent: row.agent,
    skill: row.skill,
    input: whole ? taskJson(row, "input") : {},
    output: whole ? taskJson(row, "output") : null,
    state: row.open ? "open" : "judged",
    verdicts_required: row.verdicts_required,
    verdicts_received: row.verdicts.length,
    verdicts: row.open
      ? []
      : row.verdicts.map(({ reviewer, accepted, comment, submitted_at }) => ({
          reviewer,
          accepted,
          comment,
          submitted_at: timestamp(Date.parse(submitted_at)),
        })),
    sampled_at: isoTime(row.sampled_at),
  };
}
