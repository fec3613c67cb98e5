import type { Arrangements } from "../../../../test/arrangements/arranged.ts";
import type { Environment } from "../../../kernel/principal.ts";
import type { TestApp } from "../../../testing/app.ts";

const day = 86_400_000;

async function wanted(app: TestApp, environment: Environment) {
  const to = await app.member("approver", environment);
  return { to: to.memberId, ends_at: new Date(Date.now() + day).toISOString() };
}

async function delegation(app: TestApp, environment: Environment): Promise<{ delegation: string }> {
  const body = await wanted(app, environment);
  const made = await app.call("POST", "/v1/approvals/settings/delegations", { environment, body });
  if (made.status !== 201) throw new Error(`creating a delegation answered ${made.status}: ${made.text}`);
  return { delegation: made.body.delegation_id };
}

export const arrange: Arrangements = {
  "approvals.listDelegations": async () => ({ params: {} }),
  "approvals.createDelegation": async (app, environment) => ({ params: {}, body: await wanted(app, environment) }),
  "approvals.readDelegation": async (app, environment) => ({ params: await delegation(app, environment) }),
  "approvals.removeDelegation": async (app, environment) => ({ params: await delegation(app, environment), body: {} }),
};
