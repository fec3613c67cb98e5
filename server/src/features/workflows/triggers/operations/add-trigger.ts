import { findingsOf, type KnownCalls, type Trigger, type WorkflowDefinition } from "@aos/workflow";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { whole } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { triggerNotPossible } from "../../errors.ts";
import { readyTrigger, triggerFaults } from "../effects.ts";
import { exampleTrigger } from "../example.ts";
import { triggers } from "../resource.ts";
import { AddWorkflowTriggerBody, WorkflowTrigger } from "../schemas.ts";
import { insertTrigger, lockTriggers, mostTriggers } from "../store.ts";

export const addTrigger = defineOperation({
  ...triggers.changeOfAll(),
  id: "workflows.addTrigger",
  method: "POST",
  status: 201,
  summary: "Add a trigger to a workflow",
  description:
    "Starts runs of whichever version is live in the environment of the key, from now on. Its runs have the permissions of the service account that `as` names, else " +
    "those of the caller; they are checked each time it fires. Publishing another version leaves it in place.",
  body: AddWorkflowTriggerBody,
  output: WorkflowTrigger,
  example: {
    params: { workflow: "refund" },
    body: { definition: exampleTrigger.definition },
    output: { ...exampleTrigger, last_at: null, last_run: null },
  },
  location: ({ workflow }) => `/v1/workflows/${workflow}/triggers`,
  narrowing: whole("hears events of all agents"),
  validate: ({ now }, { body: { definition }, loaded }) => [
    ...triggerFaults(definition, "/definition", now),
    ...expressionFaults(definition, loaded.draft, "/definition"),
  ],
  gate: exempt("makes no agent act yet; each step of its runs passes the gate of its agent"),
  errors: [triggerNotPossible],
  async handle(ctx, { loaded: { name }, body: { definition } }) {
    const rows = await lockTriggers(ctx, name);
    if (rows.length >= mostTriggers)
      throw refuse(triggerNotPossible, `${name} has ${mostTriggers} triggers, which is the most; remove one first.`);
    const id = ctx.newId("wtr");
    const ready = await readyTrigger(ctx, definition, "/definition");
    return triggers.view(await insertTrigger(ctx, { ...ready, id, workflow: name, origin: "added" }), ctx);
  },
});

const nothing: KnownCalls = { skill: () => "", tool: () => "", workflow: () => "" };

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
