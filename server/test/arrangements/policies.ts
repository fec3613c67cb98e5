import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import type { Arrangements } from "./arranged.ts";

// Policies, their simulation, and violations.

/** Concerns an agent that is not there, so that it changes nothing for other tests. */
const text = {
  name: "A policy of the walk",
  scope: { agents: ["walked"] },
  when: 'agent.name == "walked"',
  effect: "tag",
  params: { tags: ["walked"] },
  reason_code: "walked",
  message: "The walk came by.",
};

async function existing(app: TestApp, environment: Environment) {
  const { body, headers } = await app.call("POST", "/v1/governance/policies", { body: text, environment });
  return { params: { policy: body.policy_id as string }, headers: { "if-match": headers.get("etag") as string } };
}

export const arrange: Arrangements = {
  "governance.listPolicies": async () => ({ params: {} }),
  "governance.createPolicy": async () => ({ params: {}, body: text }),
  "governance.readPolicy": async (app, environment) => ({ params: (await existing(app, environment)).params }),
  "governance.replacePolicy": async (app, environment) => ({
    ...(await existing(app, environment)),
    body: { ...text, state: "active" },
  }),
  "governance.retirePolicy": async (app, environment) => ({ ...(await existing(app, environment)), body: {} }),
  "governance.simulatePolicy": async () => ({ params: {}, body: text }),
  "governance.check": async () => ({ params: {}, body: { action: "key.issue" } }),
  "governance.listViolations": async () => ({ params: {} }),
};
export const seenFromEverywhere: Readonly<Record<string, string>> = {};
