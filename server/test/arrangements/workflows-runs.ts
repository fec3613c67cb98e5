import { begin, publish, waiting } from "../../src/features/workflows/runs/control.fixture.ts";
import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import type { Arrange, Arrangements } from "./arranged.ts";

/** A step of an agent, whose gate a run has to pass. */
const qualify = {
  id: "qualify",
  agent: { name: "sales", skill: "qualify_lead", input: { lead_id: "input.lead" } },
};

const newRun = async (app: TestApp, environment: Environment): Promise<{ workflow: string; run: string }> => {
  const workflow = await publish(app, { steps: [waiting, qualify] }, { environment });
  return { workflow, run: (await begin(app, workflow, {}, environment)).run_id };
};

/** A new run, and the body of the call. */
const onRun =
  (body?: object): Arrange =>
  async (app, environment) => ({ params: { ...(await newRun(app, environment)) }, ...(body && { body }) });

export const arrange: Arrangements = {
  "workflows.startRun": async (app, environment) => ({
    params: { workflow: await publish(app, { steps: [qualify] }, { environment }) },
    body: { input: { lead: "ld_1001" } },
  }),
  "workflows.listRuns": async (app, environment) => ({
    params: { workflow: (await newRun(app, environment)).workflow },
  }),
  "workflows.listAllRuns": async () => ({ params: {} }),
  "workflows.readRun": onRun(),
  "workflows.listRunEvents": onRun(),
  "workflows.controlRun": onRun({ action: "pause", reason: "Of the test." }),
  "workflows.compensateRun": onRun({}),
  "workflows.controlRuns": async (app, environment) => ({
    params: {},
    body: { action: "cancel", runs: [(await newRun(app, environment)).run] },
  }),
  "workflows.listDeadLetters": async () => ({ params: {} }),
};

/** Workflows belong to the organization; only their runs to an environment. */
export const seenFromEverywhere = {
  "workflows.startRun": "a workflow is designed for all environments; one that is not live in an environment is 409",
  "workflows.listRuns": "a workflow is designed for all environments; its runs elsewhere are not listed",
};
