import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import type { Arrangements } from "./arranged.ts";

// Drafts and versions of agents.

let agents = 0;
const newName = (): string => `draft-${++agents}`;

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

export const arrange: Arrangements = {
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
};

const shared = "agents belong to the organization";
export const seenFromEverywhere: Readonly<Record<string, string>> = {
  "agents.changeDraft": shared,
  "agents.archiveAgent": shared,
  "agents.compareDraft": shared,
  "agents.listVersions": shared,
  "agents.freezeVersion": shared,
  "agents.readVersion": shared,
};
