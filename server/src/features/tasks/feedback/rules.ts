import type { Validator } from "@aos/json-schema";
import { canonicalJson } from "@aos/strict-json";
import { isoTime } from "../../../kernel/clock.ts";
import type { Fault } from "../../../kernel/errors.ts";
import type { FeedbackBody, TaskFeedback } from "../schemas.ts";
import { taskJson } from "../tasks/row.ts";
import type { TaskRow } from "../tasks/store.ts";
import { feedbackJson, type GivenFeedback } from "./store.ts";

/** How long after a task's end feedback counts for trust (milliseconds). */
const trustWindowMs = 7 * 86_400_000;

const outputOf = (task: TaskRow): unknown => (task.status === "completed" ? taskJson(task, "output") : null);

const same = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

/** Faults that no schema can express: feedback must not be empty or contradict itself, and a correction must be an output of the skill. */
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

/** Whether the outcome was accepted, from 0 to 1: explicitly, else by the correction, else by the rating. Without an output nothing is accepted. */
export function outcomeOfFeedback(task: TaskRow, { accepted, rating, correction }: FeedbackBody): number {
  if (task.status !== "completed") return 0;
  if (accepted !== undefined) return accepted ? 1 : 0;
  if (correction !== undefined) return same(correction, outputOf(task)) ? 1 : 0;
  return ((rating ?? 1) - 1) / 4;
}

/** Whether training can use it: the right output is known. */
export function teaches({ accepted, correction, use_for_training = true }: FeedbackBody): boolean {
  return use_for_training && (correction !== undefined || accepted === true);
}

/** Whether feedback at `now` (ms since the epoch) still counts for trust. */
export function countsForTrust({ finished_at }: TaskRow, now: number): boolean {
  return finished_at !== null && now - finished_at.getTime() <= trustWindowMs;
}

export function feedbackView(row: GivenFeedback, countsForTrust: boolean): TaskFeedback {
  const { accepted, rating, comment, outcome } = row;
  return {
    feedback_id: row.id,
    task_id: row.task_id,
    accepted,
    rating,
    correction: feedbackJson(row, "correction"),
    comment,
    outcome,
    counts_for_trust: countsForTrust,
    counts_for_training: row.trains,
    submitted_by: row.author,
    submitted_at: isoTime(row.created_at),
  };
}
