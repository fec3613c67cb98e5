import type { Step, WorkflowDefinition } from "@aos/workflow";
import type { Environment } from "../../../kernel/principal.ts";
import type { Answered, TestApp } from "../../../testing/app.ts";

/** A step that can be done wherever the sample is deployed. */
export const qualify = (id = "qualify"): Step => ({
  id,
  agent: { name: "sales", skill: "qualify_lead", input: { lead_id: "input.lead_id" } },
});

let made = 0;

export async function createdWorkflow(
  app: TestApp,
  definition: Partial<WorkflowDefinition> = {},
  environment: Environment = "development",
): Promise<string> {
  const body = { workflow: `workflow_${++made}`, steps: [qualify()], ...definition };
  const { status, text } = await app.call("POST", "/v1/workflows", { environment, body });
  if (status !== 201) throw new Error(`creating a workflow answered ${status}: ${text}`);
  return body.workflow;
}

/** Replaces the draft, whatever it is now. */
export const redraft = (
  app: TestApp,
  workflow: string,
  { source, ...members }: Partial<WorkflowDefinition> & { readonly source?: string },
): Promise<Answered> =>
  app.call("PUT", `/v1/workflows/${workflow}`, {
    body: source === undefined ? { workflow, ...members } : { source },
    headers: { "if-match": "*" },
  });

export const publish = (app: TestApp, workflow: string, body: object = {}, environment: Environment = "development") =>
  app.call("POST", `/v1/workflows/${workflow}/publish`, { body, environment });
