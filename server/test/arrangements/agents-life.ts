import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import type { Arranged, Arrangements } from "./arranged.ts";

// Cloning, restoring and transferring agents, and what is said about them.

let made = 0;

/** A new draft that can be frozen, or an archived one. */
async function draft(app: TestApp, environment: Environment, archived = false): Promise<string> {
  const agent = `life-${++made}`;
  const skills = [{ name: "answer", input: { type: "object", properties: { question: { type: "string" } } } }];
  const body = { agent, description: "An agent of the test.", model: { provider: "builtin" }, skills };
  const { status, text } = await app.call("POST", "/v1/agents", { environment, body });
  if (status !== 201) throw new Error(`creating an agent answered ${status}: ${text}`);
  if (archived) await app.call("DELETE", `/v1/agents/${agent}`, { environment, body: { reason: "arranged" } });
  return agent;
}

const sales = async (): Promise<Arranged> => ({ params: { agent: "sales" } });

export const arrange: Arrangements = {
  "agents.cloneAgent": async () => ({ params: { agent: "sales" }, body: { name: `life-${++made}` } }),
  "agents.restoreAgent": async (app, environment) => ({
    params: { agent: await draft(app, environment, true) },
    body: {},
  }),
  "agents.transferAgent": async (app, environment) => ({
    params: { agent: await draft(app, environment) },
    body: { owner: (await app.member("builder", environment)).memberId },
  }),
  "agents.readSkillSchemas": sales,
  "agents.readCard": sales,
  "agents.readHealth": sales,
  "agents.readDependents": sales,
  "agents.listAgentTasks": sales,
  "agents.validateDraft": async () => ({ params: { agent: "sales" }, body: {} }),
  // Paused, so that the run ends before it calls a model, which has a record of its own.
  "agents.previewAgent": async (app, environment) => {
    const agent = await draft(app, environment);
    await app.call("POST", `/v1/agents/${agent}/pause`, { environment, body: { reason: "arranged", mode: "cancel" } });
    return { params: { agent }, body: { task: "answer", input: {} } };
  },
};

const shared = "agents belong to the organization";
export const seenFromEverywhere: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(arrange).map((id) => [id, shared]),
);
