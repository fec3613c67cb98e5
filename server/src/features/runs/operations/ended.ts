import type { AuditObject } from "../../../kernel/operation.ts";
import { type EndDigests, endDigests, type TaskRow } from "../../tasks/public.ts";

/** Result of the internal operations that end a task. */
export interface Ended extends EndDigests {
  readonly trust_score: number;
}

/** What an operation answers that ended a task, of its row as it is then. */
export const endedAs = (row: TaskRow): Ended => ({ trust_score: row.trust_score, ...endDigests(row) });

/** What the record of a call about a task names; where it ended the task, with what it commits to. */
export function auditOfTask(task: string, loaded: TaskRow | undefined, ended?: Ended): AuditObject {
  const named = { object: `task:${task}`, task: loaded?.id ?? null, ...(loaded ? { subject: loaded.subject } : {}) };
  return ended
    ? { ...named, trust: ended.trust_score, given: ended.given, result: ended.result }
    : { ...named, trust: null };
}
