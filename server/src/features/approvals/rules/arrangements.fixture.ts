import type { Arrangements } from "../../../../test/arrangements/arranged.ts";
import type { Environment } from "../../../kernel/principal.ts";
import type { TestApp } from "../../../testing/app.ts";

const text = { title: "Large refunds", when: { agents: ["nobody"] }, require: { stages: [{ quorum: 1 }] } };
let made = 0;

async function rule(app: TestApp, environment: Environment): Promise<{ rule: string }> {
  const name = `arranged-${++made}`;
  const { status, text: answer } = await app.call("PUT", `/v1/approvals/settings/rules/${name}`, {
    environment,
    body: text,
  });
  if (status !== 200) throw new Error(`setting an approval rule answered ${status}: ${answer}`);
  return { rule: name };
}

export const arrange: Arrangements = {
  "approvals.listRules": async () => ({ params: {} }),
  "approvals.readRule": async (app, environment) => ({ params: await rule(app, environment) }),
  "approvals.setRule": async () => ({ params: { rule: `arranged-${++made}` }, body: text }),
  "approvals.retireRule": async (app, environment) => ({ params: await rule(app, environment) }),
  "approvals.testRule": async (app, environment) => ({ params: await rule(app, environment), body: { tasks: 10 } }),
};
