import type { Step } from "@aos/workflow";
import { begin } from "../../src/features/workflows/runs/control.fixture.ts";
import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import { type Arrange, type Arrangements, nothing } from "./arranged.ts";
import { published, definition as workflow } from "./workflows-definitions.ts";

const definition = { schedule: "0 7 * * MON-FRI", time_zone: "Europe/Vienna" };
const listening: Step = { id: "hold", wait: { event: "bank.settled", at_most: "1d" } };

const trigger = async (app: TestApp, environment: Environment): Promise<{ workflow: string; trigger: string }> => {
  const { workflow: name } = await published(app, environment);
  const added = await app.call("POST", `/v1/workflows/${name}/triggers`, { environment, body: { definition } });
  return { workflow: name, trigger: added.body.trigger_id };
};

let made = 0;
const hook =
  (body?: object): Arrange =>
  async (app, environment) => {
    const name = `hook_${++made}`;
    await app.call("POST", "/v1/hooks", { environment, body: { name } });
    return { params: { hook: name }, ...(body && { body }) };
  };

export const arrange: Arrangements = {
  "workflows.listTriggers": async (app, environment) => ({
    params: { workflow: (await trigger(app, environment)).workflow },
  }),
  "workflows.addTrigger": async (app, environment) => ({
    params: { workflow: (await published(app, environment)).workflow },
    body: { definition },
  }),
  "workflows.removeTrigger": async (app, environment) => ({ params: await trigger(app, environment), body: {} }),
  "workflows.signalRun": async (app, environment) => {
    const { workflow: name } = await published(app, environment, [listening, ...workflow().steps]);
    const { run_id } = await begin(app, name, { input: { lead_id: "ld_1001" } }, environment);
    return { params: { workflow: name, run: run_id }, body: { event: "bank.settled" } };
  },
  "workflows.listHooks": nothing,
  "workflows.createHook": async () => ({ params: {}, body: { name: `hook_${++made}` } }),
  "workflows.removeHook": hook({}),
  "workflows.rotateSecret": hook({}),
};

/** Workflows belong to the organization; only their triggers to an environment. */
export const seenFromEverywhere = {
  "workflows.listTriggers": "a workflow is designed for all environments; its triggers elsewhere are not listed",
  "workflows.addTrigger": "a workflow is designed for all environments; the trigger is added where the key is",
};
