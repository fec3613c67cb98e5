import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { findWorkflow } from "../definition-store.ts";
import { WorkflowName } from "../definitions-schemas.ts";
import { triggerNotPossible } from "../trigger-errors.ts";
import { exampleTrigger } from "../trigger-example.ts";
import { expressionFaults } from "../trigger-expressions.ts";
import { findTrigger, insertTrigger, type ListedTrigger, lockTriggers, mostTriggers } from "../trigger-store.ts";
import { readyTrigger, triggerFaults } from "../trigger-switch.ts";
import { triggerView } from "../trigger-view.ts";
import { AddWorkflowTriggerBody, WorkflowTrigger } from "../triggers-schemas.ts";

export const addTrigger = defineOperation({
  id: "workflows.addTrigger",
  method: "POST",
  path: "/v1/workflows/{workflow}/triggers",
  status: 201,
  summary: "Add a trigger to a workflow",
  description:
    "Starts runs of whichever version is live in the environment of the key, from now on. Its runs have the permissions of the service account that `as` names, else " +
    "those of the caller; they are looked at each time it fires. Publishing another version leaves it in place.",
  params: Type.Object({ workflow: WorkflowName }),
  body: AddWorkflowTriggerBody,
  output: WorkflowTrigger,
  example: {
    params: { workflow: "refund" },
    body: { definition: exampleTrigger.definition },
    output: { ...exampleTrigger, last_at: null, last_run: null },
  },
  location: ({ workflow }) => `/v1/workflows/${workflow}/triggers`,
  permission: "workflows:write",
  load: (ctx, { workflow }) => findWorkflow(ctx, workflow),
  narrowing: whole("hears events of all agents"),
  validate: ({ now }, { body: { definition }, loaded }) => [
    ...triggerFaults(definition, "/definition", now),
    ...expressionFaults(definition, loaded.draft, "/definition"),
  ],
  gate: exempt("makes no agent act yet; each step of its runs passes the gate of its agent"),
  decides: "trigger",
  compliance: governs("workflow.trigger"),
  audit: ({ params }) => `workflow:${params.workflow}`,
  errors: [triggerNotPossible],
  async handle(ctx, { loaded: { name }, body: { definition } }) {
    const rows = await lockTriggers(ctx, name);
    if (rows.length >= mostTriggers)
      throw refuse(triggerNotPossible, `${name} has ${mostTriggers} triggers, which is the most; remove one first.`);
    const id = ctx.newId("wtr");
    const ready = await readyTrigger(ctx, definition, "/definition");
    await insertTrigger(ctx, { ...ready, id, workflow: name, origin: "added" });
    return triggerView((await findTrigger(ctx, id)) as ListedTrigger);
  },
});
