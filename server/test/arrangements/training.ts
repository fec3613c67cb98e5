import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import type { Arranged, Arrangements } from "./arranged.ts";

// Training of agents.

let agents = 0;

/** A new agent whose skill can learn, and enough for it to learn from. */
async function learner(app: TestApp, environment: Environment): Promise<Arranged> {
  const agent = `learner-${++agents}`;
  const skill = {
    name: "sort",
    input: { type: "object", properties: { text: { type: "string" } } },
    output: { type: "object", properties: { kind: { enum: ["a", "b"] } } },
  };
  const body = { agent, description: "Sorts.", model: { provider: "builtin" }, skills: [skill] };
  for (const [path, sent] of [["/v1/agents", body] as const, [`/v1/agents/${agent}/versions`, {}] as const]) {
    const { status, text } = await app.call("POST", path, { environment, body: sent });
    if (status !== 201) throw new Error(`${path} answered ${status}: ${text}`);
  }
  const examples = Array.from({ length: 12 }, (_, n) => ({
    input: { text: `case ${n}` },
    output: { kind: n % 2 ? "a" : "b" },
  }));
  return { params: { agent }, body: { skill: "sort", examples } };
}

async function job(app: TestApp, environment: Environment): Promise<Arranged> {
  const { params, body } = await learner(app, environment);
  const started = await app.call("POST", `/v1/agents/${params.agent}/training`, { environment, body });
  if (started.status !== 202) throw new Error(`training answered ${started.status}: ${started.text}`);
  return { params: { ...params, job: started.body.job_id } };
}

export const arrange: Arrangements = {
  "agents.startTraining": learner,
  "agents.readTraining": job,
  "agents.cancelTraining": async (app, environment) => ({ ...(await job(app, environment)), body: {} }),
};
export const seenFromEverywhere: Readonly<Record<string, string>> = {
  "agents.startTraining": "agents belong to the organization",
};
