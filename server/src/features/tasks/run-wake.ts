import type { JobSpec } from "../../kernel/append.ts";
import type { Scope } from "../../kernel/principal.ts";

/** The job that looks at a run of a workflow: what is to be done says its row. */
export const advanceRunJob = "advance_workflow_run";

/** The job that compares a turn of a conversation with its task. */
export const settleTurnJob = "settle_chat_turn";

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
