import { Type } from "typebox";
import { defineEvent, everyone } from "../../kernel/events.ts";

const common = {
  run_id: Type.String({ description: "`wfr_…`" }),
  workflow: Type.String({ description: "The workflow's name." }),
  version: Type.Integer({ minimum: 1 }),
  status: Type.String(),
};

const ended = <T extends string>(type: T, summary: string) =>
  defineEvent({ type, summary, readers: everyone, schema: Type.Object({ event: Type.Literal(type), ...common }) });

export const runStarted = ended("workflow.run.started", "A run of a workflow began.");
export const runCompleted = ended("workflow.run.completed", "A run of a workflow completed.");
export const runFailed = ended(
  "workflow.run.failed",
  "A run of a workflow failed, and what was to be undone could not all be undone.",
);
export const runCompensated = ended("workflow.run.compensated", "A run of a workflow was undone.");
export const runCancelled = ended("workflow.run.cancelled", "A run of a workflow was cancelled.");
