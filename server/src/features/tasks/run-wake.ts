import type { JobSpec } from "../../kernel/append.ts";
import type { CallContext } from "../../kernel/context.ts";
import type { Scope } from "../../kernel/principal.ts";
import { findKnownAgent, isShadowed } from "../agents/public.ts";
import type { TaskRow } from "./task-row.ts";

/** The job that looks at a run of a workflow: what is to be done says its row. */
export const advanceRunJob = "advance_workflow_run";

/** The job that compares a turn of a conversation with its task. */
export const settleTurnJob = "settle_chat_turn";

/** The job that has the shadow of a task's agent carry the task out too. */
export const shadowTaskJob = "run_shadow";

/** Wakes the run that a task belongs to. One waiting wake-up per run suffices. */
export function wakeRun({ organization, environment }: Scope, run: string): JobSpec {
  return { task: advanceRunJob, payload: { organization, environment, run }, key: `run ${run}` };
}

/** Wakes the conversation whose turn a task is. One waiting wake-up per task suffices. */
export function wakeConversation({ organization, environment }: Scope, conversation: string, task: string): JobSpec {
  return {
    task: settleTurnJob,
    payload: { organization, environment, conversation, task },
    key: `turn ${task}`,
  };
}

/** Has the shadow of an agent carry out a task too that has ended on its own, where the task is among those that it is to. Turns of conversations are not. */
export function wakeShadow(
  ctx: Pick<CallContext, "scope" | "facts"> & { enqueue(job: JobSpec): void },
  { id, agent, version_id, conversation }: Pick<TaskRow, "id" | "agent" | "version_id" | "conversation">,
): void {
  const known = findKnownAgent(ctx, agent);
  if (conversation !== null || !isShadowed(known, { id, version_id })) return;
  const { organization, environment } = ctx.scope;
  const payload = { organization, environment, task: id, deployment: known?.shadow?.deploymentId };
  // Behind the work that somebody waits for.
  ctx.enqueue({ task: shadowTaskJob, payload, key: `shadow ${id}`, priority: 10 });
}
