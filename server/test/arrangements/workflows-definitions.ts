import type { Step } from "@aos/workflow";
import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import { type Arrange, type Arranged, type Arrangements, nothing } from "./arranged.ts";

let workflows = 0;
const newName = (): string => `made-${++workflows}`;

/** A definition that can be published wherever the sample is deployed. */
export const definition = (steps = 1) => ({
  workflow: newName(),
  steps: Array.from({ length: steps }, (_, n) => ({
    id: `qualify_${n}`,
    agent: { name: "sales", skill: "qualify_lead", input: { lead_id: "input.lead_id" } },
  })),
});

async function call(app: TestApp, environment: Environment, path: string, body: object, method = "POST") {
  const answered = await app.call(method, path, { environment, body });
  if (answered.status >= 300) throw new Error(`${method} ${path} answered ${answered.status}: ${answered.text}`);
  return answered;
}

/** A new workflow with a draft. */
export async function newWorkflow(app: TestApp, environment: Environment): Promise<{ workflow: string; etag: string }> {
  const body = definition();
  const { headers } = await call(app, environment, "/v1/workflows", body);
  return { workflow: body.workflow, etag: headers.get("etag") as string };
}

/** A new workflow of which so many versions were published in the environment. */
export async function publishedWorkflow(app: TestApp, environment: Environment, versions = 1): Promise<string> {
  const { workflow } = await newWorkflow(app, environment);
  for (let version = 1; version <= versions; version++) {
    const { headers } = await app.call("GET", `/v1/workflows/${workflow}`, { environment });
    const { steps } = definition(version);
    await app.call("PUT", `/v1/workflows/${workflow}`, {
      environment,
      body: { workflow, steps },
      headers: { "if-match": headers.get("etag") as string },
    });
    await call(app, environment, `/v1/workflows/${workflow}/publish`, { note: `Version ${version}.` });
  }
  return workflow;
}

/** A new workflow that is live in the environment. */
export async function published(
  app: TestApp,
  environment: Environment,
  steps: readonly Step[] = definition().steps,
): Promise<{ workflow: string }> {
  const { workflow } = definition();
  await call(app, environment, "/v1/workflows", { workflow, steps });
  await call(app, environment, `/v1/workflows/${workflow}/publish`, {});
  return { workflow };
}

const drafted =
  (body?: object): Arrange =>
  async (app, environment): Promise<Arranged> => ({
    params: { workflow: (await newWorkflow(app, environment)).workflow },
    ...(body && { body }),
  });

export const arrange: Arrangements = {
  "workflows.listWorkflows": nothing,
  "workflows.createWorkflow": async () => ({ params: {}, body: definition() }),
  "workflows.readWorkflow": drafted(),
  "workflows.replaceDraft": async (app, environment) => {
    const { workflow, etag } = await newWorkflow(app, environment);
    const { steps } = definition(2);
    return { params: { workflow }, body: { workflow, steps }, headers: { "if-match": etag } };
  },
  "workflows.compareDraft": async (app, environment) => {
    const { workflow } = await newWorkflow(app, environment);
    return { params: { workflow }, body: { steps: definition(2).steps } };
  },
  "workflows.publishWorkflow": drafted({ note: "The first." }),
  "workflows.rollback": async (app, environment) => ({
    params: { workflow: await publishedWorkflow(app, environment, 2) },
    body: { reason: "arranged" },
  }),
  "workflows.archiveWorkflow": drafted({ reason: "The test is over." }),
  "workflows.pauseWorkflow": drafted({ reason: "arranged" }),
  "workflows.resumeWorkflow": drafted({}),
  "workflows.listVersions": async (app, environment) => ({
    params: { workflow: await publishedWorkflow(app, environment) },
  }),
  "workflows.readVersion": async (app, environment) => ({
    params: { workflow: await publishedWorkflow(app, environment), version: "1" },
  }),
};

const shared = "workflows belong to the organization";
export const seenFromEverywhere: Readonly<Record<string, string>> = {
  "workflows.compareDraft": shared,
  "workflows.readWorkflow": shared,
  "workflows.replaceDraft": shared,
  "workflows.publishWorkflow": shared,
  "workflows.rollback": `${shared}; that there is no version to go back to here is 409 no_earlier_version`,
  "workflows.archiveWorkflow": shared,
  "workflows.pauseWorkflow": shared,
  "workflows.resumeWorkflow": shared,
  "workflows.listVersions": shared,
  "workflows.readVersion": shared,
};
