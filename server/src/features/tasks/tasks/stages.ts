import type { CallContext } from "../../../kernel/context.ts";
import type { AuditObject } from "../../../kernel/operation.ts";
import { agentSeen } from "../dispatch/rules.ts";
import type { TaskRow } from "./store.ts";

/** Facts for policies on reading and changing a task. */
export function taskRead(ctx: CallContext, { agent, skill }: Pick<TaskRow, "agent" | "skill">) {
  return { agent: agentSeen(ctx, agent), skill: { name: skill } };
}

export function aboutTask({ params, loaded }: { params: { task: string }; loaded: TaskRow | undefined }): AuditObject {
  return { object: `task:${params.task}`, task: loaded?.id ?? null, ...(loaded ? { subject: loaded.subject } : {}) };
}
