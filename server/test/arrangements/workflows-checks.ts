import { type Arrange, type Arrangements, nothing } from "./arranged.ts";
import { newWorkflow } from "./workflows-definitions.ts";

const draft =
  (sent?: object): Arrange =>
  async (app, environment) => ({
    params: { workflow: (await newWorkflow(app, environment)).workflow },
    ...(sent && { body: sent }),
  });

export const arrange: Arrangements = {
  "workflows.listStepTypes": nothing,
  "workflows.readWorkflowGraph": draft(),
  "workflows.validateWorkflow": draft({}),
  "workflows.testWorkflow": draft({ outputs: { qualify_0: { fit: true } } }),
  "workflows.generateWorkflow": async () => ({
    params: {},
    body: { description: "Refund an order after people have approved it." },
  }),
};

const shared = "workflows belong to the organization";
export const seenFromEverywhere: Readonly<Record<string, string>> = {
  "workflows.readWorkflowGraph": shared,
  "workflows.validateWorkflow": shared,
  "workflows.testWorkflow": shared,
};
