import type { CallContext } from "../../kernel/context.ts";
import type { AuditObject } from "../../kernel/operation.ts";
import { agentSeen } from "./model.ts";
import type { TaskRow } from "./store.ts";

// What the stages are told by operations on one task.

/** The facts that policies on reading and changing a task see. */
export function taskRead(ctx: CallContext, { agent, skill }: Pick<TaskRow, "agent" | "skill">) {
  return { agent: agentSeen(ctx, agent), skill: { name: skill } };
}

/** What the record of a call on one task names. */
export function aboutTask({ params, loaded }: { params: { task: string }; loaded: TaskRow | undefined }): AuditObject {
  return { object: `task:${params.task}`, task: loaded?.id ?? null, ...(loaded ? { subject: loaded.subject } : {}) };
}
