import { findingsOf, type KnownCalls, type Trigger, type WorkflowDefinition } from "@aos/workflow";
import type { Fault } from "../../kernel/errors.ts";

/** A trigger calls nothing itself. */
const nothing: KnownCalls = { skill: () => "", tool: () => "", workflow: () => "" };

/** What is wrong with the expressions of a trigger, and with what it gives a workflow that takes such an input. */
export function expressionFaults(
  trigger: Trigger,
  { workflow, input }: Pick<WorkflowDefinition, "workflow" | "input">,
  pointer: string,
): Fault[] {
  const alone = { workflow, ...(input && { input }), steps: [{ id: "none", set: {} }], triggers: [trigger] };
  return findingsOf(alone, nothing)
    .filter(({ severity, pointer: at }) => severity === "error" && at.startsWith("/triggers/0"))
    .map((finding) => ({
      pointer: finding.pointer.replace("/triggers/0", pointer),
      code: finding.code,
      detail: finding.detail,
    }));
}
