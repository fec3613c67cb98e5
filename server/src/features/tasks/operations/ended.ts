import type { AuditObject } from "../../../kernel/operation.ts";
import type { TaskRow } from "../store.ts";

/** What an inside operation that ends a task answers. */
export interface Ended {
  readonly trust_score: number;
}

/** What the record of a call about a task names. */
export function auditOfTask(task: string, loaded: TaskRow | undefined, output?: Ended): AuditObject {
  const trust = output?.trust_score ?? null;
  return { object: `task:${task}`, task: loaded?.id ?? null, trust, ...(loaded ? { subject: loaded.subject } : {}) };
}
