import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import { signIn } from "../../src/testing/sessions.ts";
import { type Arrangements, nothing } from "./arranged.ts";

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

let tools = 0;
/** Of a tool that no agent has, so that it stops nothing of what other tests do. */
const newStop = () => ({
  kind: "tool",
  target: `walked_${++tools}`,
  mode: "stop",
  reason: "the walk stops it",
  allow_unknown: true,
});

const note = "Made to be confirmed and taken over.";

/** A schedule that the admin made, in the place of the one before: an agent has 50 at most. */
async function schedule(app: TestApp, environment: Environment): Promise<string> {
  await app.pool.query("delete from agent_schedules where environment = $1 and definition ->> 'note' = $2", [
    environment,
    note,
  ]);
  const body = { task: "qualify_lead", input: { lead_id: "ld_1001" }, schedule: "0 7 * * *", note };
  const made = await app.call("POST", "/v1/agents/sales/schedules", { body, environment });
  if (made.status !== 201) throw new Error(made.text);
  return `schedule:${made.body.schedule_id}`;
}

/** What a session of somebody who signed in personally sends. */
async function sessionOfAnother(app: TestApp, environment: Environment) {
  const { secret } = await app.signedInMember("admin", environment);
  const { cookie, session } = await signIn(app, { key: secret });
  return { cookie, "x-csrf-token": session.csrf as string };
}

export const arrange: Arrangements = {
  "governance.readContent": async (app, environment) => ({ params: { object: await schedule(app, environment) } }),
  "governance.confirm": async (app, environment) => {
    const object = await schedule(app, environment);
    const { body } = await app.call("GET", `/v1/governance/contents/${object}`, { environment });
    return { params: {}, body: { object, digest: body.digest }, headers: await sessionOfAnother(app, environment) };
  },
  "governance.listConfirmations": nothing,
  "governance.takeOver": async (app, environment) => {
    const object = await schedule(app, environment);
    const { secret } = await app.member("admin", environment);
    const taken = await app.call("POST", "/v1/governance/take-overs", { key: secret, body: { object } });
    if (taken.status !== 201 && taken.status !== 200) throw new Error(taken.text);
    return { params: {}, body: { object } };
  },
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
  "governance.listBudgets": nothing,
  // Of somebody who makes no calls: what budgets that cover calls write by the clock would be taken for what those calls do.
  "governance.setBudget": async (app, environment) => ({
    params: { scope: `member:${(await app.member("viewer", environment)).memberId}` },
    body: { limits: [{ unit: "tasks", period: "day", hard: 1_000_000 }] },
  }),
  "governance.readBudget": async (app, environment) => ({
    params: { scope: `member:${(await app.member("viewer", environment)).memberId}` },
  }),
  "governance.engageKillSwitch": async () => ({ params: {}, body: newStop() }),
  "governance.listKillSwitches": async () => ({ params: {} }),
  "governance.releaseKillSwitch": async (app, environment) => {
    const { body } = await app.call("POST", "/v1/governance/kill-switch", { body: newStop(), environment });
    return { params: { kill_switch: body.kill_switch_id }, body: { reason: "the walk is over" } };
  },
};
export const seenFromEverywhere: Readonly<Record<string, string>> = {
  "governance.readBudget": "members belong to the organization; the budget is of the environment of the call",
  "governance.setBudget": "members belong to the organization; the budget is of the environment of the call",
};
