import type { Validator } from "@aos/json-schema";
import { canonicalJson } from "@aos/strict-json";
import { isoTime } from "../../kernel/clock.ts";
import type { Fault } from "../../kernel/errors.ts";
import type { GivenFeedback } from "./feedback-store.ts";
import type { FeedbackBody, TaskFeedback } from "./schemas.ts";
import type { TaskRow } from "./store.ts";

/** So long after its end what is said of a task counts for trust, in milliseconds. */
export const trustWindowMs = 7 * 86_400_000;

/** Reads the output of a task that completed. */
const outputOf = ({ status, output }: TaskRow): unknown =>
  status === "completed" && output !== null ? JSON.parse(output) : null;

const same = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

/** What no schema can say of feedback: it has to say something, a correction has to be an output of the skill, and it must not contradict what is accepted. */
export function feedbackFaults(task: TaskRow, judge: Validator | null, body: FeedbackBody): Fault[] {
  const { accepted, rating, correction } = body;
  if (accepted === undefined && rating === undefined && correction === undefined) {
    return [
      {
        pointer: "",
        code: "says_nothing",
        detail: "needs `accepted`, `rating` or `correction`: what became of the outcome",
      },
    ];
  }
  const faults: Fault[] =
    correction === undefined
      ? []
      : (judge?.(correction) ?? []).map((fault) => ({ ...fault, pointer: `/correction${fault.pointer}` }));
  if (accepted === true && task.status !== "completed") {
    faults.push({
      pointer: "/accepted",
      code: "no_output",
      detail: `the task is ${task.status} and has no output that could be accepted`,
    });
  }
  if (accepted === true && correction !== undefined && !same(correction, outputOf(task))) {
    faults.push({
      pointer: "/accepted",
      code: "contradicts",
      detail:
        "is true while `correction` says that the output should have been another one; say false, or leave one of the two out",
    });
  }
  return faults;
}

/** Whether the outcome was accepted, from 0 to 1: what was said outright, else what a correction says, else the rating. A task without an output has none to accept. */
export function outcomeOfFeedback(task: TaskRow, { accepted, rating, correction }: FeedbackBody): number {
  if (task.status !== "completed") return 0;
  if (accepted !== undefined) return accepted ? 1 : 0;
  if (correction !== undefined) return same(correction, outputOf(task)) ? 1 : 0;
  return ((rating ?? 1) - 1) / 4;
}

/** Whether there is something to learn from: the right output is known. */
export function teaches({ accepted, correction, use_for_training = true }: FeedbackBody): boolean {
  return use_for_training && (correction !== undefined || accepted === true);
}

/** Whether what is said at `now` (ms since the epoch) still counts for trust. */
export function countsForTrust({ finished_at }: TaskRow, now: number): boolean {
  return finished_at !== null && now - finished_at.getTime() <= trustWindowMs;
}

/** Feedback as callers read it. */
export function feedbackView(row: GivenFeedback, countsForTrust: boolean): TaskFeedback {
  const { accepted, rating, comment, outcome } = row;
  return {
    feedback_id: row.id,
    task_id: row.task_id,
    accepted,
    rating,
    correction: row.correction === null ? null : (JSON.parse(row.correction) as Record<string, unknown>),
    comment,
    outcome,
    counts_for_trust: countsForTrust,
    counts_for_training: row.trains,
    submitted_by: row.author,
    submitted_at: isoTime(row.created_at),
  };
}
