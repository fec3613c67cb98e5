import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import type { Arranged, Arrangements } from "./arranged.ts";

// Deployments of agents and their pauses.

let agents = 0;

/** A new agent with so many frozen versions. */
async function frozenAgent(app: TestApp, environment: Environment, versions: number): Promise<string> {
  const agent = `deployed-${++agents}`;
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

export const arrange: Arrangements = {
  "agents.listDeployments": async () => ({ params: { agent: "sales" } }),
  // The gate's verdicts of the walk are about the sample's version.
  "agents.deployVersion": async (app, environment) =>
    environment === "production"
      ? { params: { agent: "sales" }, body: { version: 1 } }
      : { params: { agent: await frozenAgent(app, environment, 1) }, body: { version: 1, note: "The first." } },
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
};

const shared = "agents belong to the organization";
export const seenFromEverywhere: Readonly<Record<string, string>> = {
  "agents.listDeployments": shared,
  "agents.deployVersion": shared,
  "agents.rollback": `${shared}; that nothing can be rolled back here is 409 nothing_to_roll_back`,
  "agents.pauseAgent": shared,
  "agents.resumeAgent": `${shared}; that it is not paused here is 409 not_paused`,
};
