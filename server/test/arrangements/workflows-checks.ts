import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import { type Arrange, type Arrangements, nothing } from "./arranged.ts";

let drafts = 0;

/** A workflow with a draft that calls an agent of the sample; answers its name. */
async function drafted(app: TestApp, environment: Environment): Promise<string> {
  const workflow = `checked_${++drafts}`;
  const steps = [{ id: "judge", agent: { name: "sales", skill: "qualify_lead", input: { lead_id: "'ld_1001'" } } }];
  const body = { workflow, steps };
  const { status, text } = await app.call("POST", "/v1/workflows", { environment, body });
  if (status !== 201) throw new Error(`creating a workflow answered ${status}: ${text}`);
  return workflow;
}

const draft =
  (sent?: object): Arrange =>
  async (app, environment) => ({ params: { workflow: await drafted(app, environment) }, ...(sent && { body: sent }) });

export const arrange: Arrangements = {
  "workflows.listStepTypes": nothing,
  "workflows.readWorkflowGraph": draft(),
  "workflows.validateWorkflow": draft({}),
  "workflows.testWorkflow": draft({ outputs: { judge: { fit: true } } }),
  "workflows.generateWorkflow": async () => ({
    params: {},
    body: { description: "Refund an order after people have approved it." },
  }),
};
