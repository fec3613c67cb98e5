import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import * as bound from "./agents-bound.ts";
import * as life from "./agents-life.ts";
import { type Arranged, type Arrangements, nothing } from "./arranged.ts";

let drafts = 0;
const newName = (): string => `draft-${++drafts}`;

/** A definition that can be frozen. */
const definition = {
  description: "An agent of the test.",
  model: { provider: "builtin" },
  skills: [{ name: "answer", input: { type: "object", properties: { question: { type: "string" } } } }],
};

/** A new agent with a draft; answers its name and ETag. */
async function newAgent(app: TestApp, environment: Environment): Promise<{ agent: string; etag: string }> {
  const agent = newName();
  const { status, headers, text } = await app.call("POST", "/v1/agents", {
    environment,
    body: { agent, ...definition },
  });
  if (status !== 201) throw new Error(`creating an agent answered ${status}: ${text}`);
  return { agent, etag: headers.get("etag") as string };
}

let deployed = 0;

/** A new agent with so many frozen versions. */
async function frozenAgent(app: TestApp, environment: Environment, versions: number): Promise<string> {
  const agent = `deployed-${++deployed}`;
  const call = async (method: string, path: string, body: object, headers = {}): Promise<Headers> => {
    const { status, text, headers: answered } = await app.call(method, path, { environment, body, headers });
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
    return answered;
  };
  const skills = [{ name: "answer", input: { type: "object", properties: { question: { type: "string" } } } }];
  let etag = (
    await call("POST", "/v1/agents", { agent, description: "Version 1.", model: { provider: "builtin" }, skills })
  ).get("etag");
  await call("POST", `/v1/agents/${agent}/versions`, {});
  for (let version = 2; version <= versions; version++) {
    etag = (
      await call("PATCH", `/v1/agents/${agent}`, { description: `Version ${version}.` }, { "if-match": etag })
    ).get("etag");
    await call("POST", `/v1/agents/${agent}/versions`, {});
  }
  return agent;
}

const paused = async (app: TestApp, environment: Environment): Promise<Arranged> => {
  const agent = await frozenAgent(app, environment, 1);
  await app.call("POST", `/v1/agents/${agent}/pause`, { environment, body: { reason: "arranged" } });
  return { params: { agent }, body: {} };
};

/** A canary beside a live version; where the gate keeps both from being deployed, their rows, and a gate that is closed for the canary. */
async function canary(app: TestApp, environment: Environment): Promise<Arranged> {
  const agent = await frozenAgent(app, environment, 2);
  if (environment !== "production") {
    const path = `/v1/agents/${agent}/deployments`;
    await app.call("POST", path, { environment, body: { version: 1 } });
    const { body } = await app.call("POST", path, { environment, body: { version: 2, mode: "canary" } });
    return { params: { agent, deployment: body.deployment_id }, body: { share: 25 } };
  }
  const deployment = "dep_01jd8x0000000000000000000z";
  await app.pool.query(
    `with version as (
       insert into gate_verdicts (organization, environment, version_id, verdict, reasons, expires_at)
       select organization, $1, id, 'failed', '{arranged}', now() + interval '1 day' from agent_versions where agent = $2 and number = 2)
     insert into deployments (organization, environment, id, agent, version_number, state, mode, share, rule, stages, author)
     values ('default', $1, $3, $2, 2, 'canary', 'canary', 10, '{}', '[]', 'nobody') on conflict do nothing`,
    [environment, agent, deployment],
  );
  await app.verdict("failed", environment); // has the service read verdicts again
  return { params: { agent, deployment }, body: { action: "promote", reason: "arranged" } };
}

let learners = 0;

/** A new agent whose skill can learn, and enough for it to learn from. */
async function learner(app: TestApp, environment: Environment): Promise<Arranged> {
  const agent = `learner-${++learners}`;
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
  "agents.listAgents": nothing,
  "agents.readAgent": async () => ({ params: { agent: "sales" } }),
  "agents.dispatchTask": async () => ({
    params: { agent: "sales" },
    body: { task: "qualify_lead", lead_id: "ld_1001", require_approval: true },
  }),
  "agents.createAgent": async () => ({ params: {}, body: { agent: newName(), ...definition } }),
  "agents.changeDraft": async (app, environment) => {
    const { agent, etag } = await newAgent(app, environment);
    return { params: { agent }, body: { description: "Changed." }, headers: { "if-match": etag } };
  },
  "agents.archiveAgent": async (app, environment) => ({
    params: { agent: (await newAgent(app, environment)).agent },
    body: { reason: "The test is over." },
  }),
  "agents.compareDraft": async () => ({ params: { agent: "sales" }, body: { agent: "sales", ...definition } }),
  "agents.listVersions": async () => ({ params: { agent: "sales" } }),
  "agents.freezeVersion": async (app, environment) => ({
    params: { agent: (await newAgent(app, environment)).agent },
    body: { note: "The first." },
  }),
  "agents.readVersion": async () => ({ params: { agent: "sales", version: "1" } }),
  "agents.listDeployments": async () => ({ params: { agent: "sales" } }),
  // The gate's verdicts of the walk are about the sample's version.
  "agents.deployVersion": async (app, environment) =>
    environment === "production"
      ? { params: { agent: "sales" }, body: { version: 1 } }
      : { params: { agent: await frozenAgent(app, environment, 1) }, body: { version: 1, note: "The first." } },
  "agents.changeDeployment": canary,
  "agents.rollback": async (app, environment) => {
    const agent = await frozenAgent(app, environment, 2);
    for (const version of [1, 2])
      await app.call("POST", `/v1/agents/${agent}/deployments`, { environment, body: { version } });
    return { params: { agent }, body: { reason: "arranged" } };
  },
  "agents.pauseAgent": async (app, environment) => ({
    params: { agent: await frozenAgent(app, environment, 1) },
    body: { reason: "arranged", mode: "drain" },
  }),
  "agents.resumeAgent": paused,
  "agents.readTrust": async () => ({ params: { agent: "sales" } }),
  "agents.startTraining": learner,
  "agents.readTraining": job,
  "agents.cancelTraining": async (app, environment) => ({ ...(await job(app, environment)), body: {} }),
  ...life.arrange,
  ...bound.arrange,
};

const shared = "agents belong to the organization";
export const seenFromEverywhere: Readonly<Record<string, string>> = {
  "agents.readAgent": shared,
  "agents.dispatchTask": "the agent is seen; that it is not deployed here is 409 agent_not_deployed",
  "agents.changeDraft": shared,
  "agents.archiveAgent": shared,
  "agents.compareDraft": shared,
  "agents.listVersions": shared,
  "agents.freezeVersion": shared,
  "agents.readVersion": shared,
  "agents.listDeployments": shared,
  "agents.deployVersion": shared,
  "agents.rollback": `${shared}; that nothing can be rolled back here is 409 nothing_to_roll_back`,
  "agents.pauseAgent": shared,
  "agents.resumeAgent": `${shared}; that it is not paused here is 409 not_paused`,
  "agents.readTrust": shared,
  "agents.startTraining": shared,
  ...life.seenFromEverywhere,
  ...bound.seenFromEverywhere,
};
