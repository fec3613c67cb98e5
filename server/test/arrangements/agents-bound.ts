import { insertConversation } from "../../src/features/chat/chat.fixture.ts";
import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import type { Arrangements } from "./arranged.ts";

let drafts = 0;
const look = { name: "look", kind: "record", base: "leads", effect: "read" };

/** A new agent with a tool that no skill names. */
async function bound(app: TestApp, environment: Environment) {
  const agent = `tooled-${++drafts}`;
  const skills = [{ name: "answer", input: { type: "object" } }];
  const body = {
    agent,
    description: "Of the test.",
    model: { provider: "builtin" },
    knowledge: ["leads"],
    tools: [look],
    skills,
  };
  const { headers, status, text } = await app.call("POST", "/v1/agents", { environment, body });
  if (status !== 201) throw new Error(`creating an agent answered ${status}: ${text}`);
  return { params: { agent, tool: "look" }, headers: { "if-match": headers.get("etag") as string } };
}

const memory = async (app: TestApp, environment: Environment): Promise<{ agent: string; item: string }> => {
  const conversation_id = await insertConversation(app, { agent: "sales" }, environment);
  const body = { conversation_id, text: "Wants a call back." };
  const made = await app.call("POST", "/v1/chat/memories", { environment, body });
  if (made.status !== 201) throw new Error(`remembering answered ${made.status}: ${made.text}`);
  return { agent: "sales", item: made.body.memory_id };
};

export const arrange: Arrangements = {
  "agents.listTools": async () => ({ params: { agent: "sales" } }),
  "agents.bindTool": async (app, environment) => ({
    ...(await bound(app, environment)),
    body: { definition: { ...look, description: "Looks up." }, skills: ["answer"] },
  }),
  "agents.unbindTool": async (app, environment) => ({ ...(await bound(app, environment)), body: {} }),
  "agents.testTool": async () => ({
    params: { agent: "sales", tool: "get_lead" },
    body: { arguments: { lead_id: "ld_1001" } },
  }),
  "agents.listMemory": async () => ({ params: { agent: "sales" } }),
  "agents.forgetMemory": async (app, environment) => ({ params: await memory(app, environment), body: {} }),
};

/** Agents belong to the organization. */
export const seenFromEverywhere = {
  "agents.listTools": "agents belong to the organization",
  "agents.bindTool": "agents belong to the organization",
  "agents.unbindTool": "agents belong to the organization",
  "agents.testTool": "agents belong to the organization",
  "agents.listMemory": "agents belong to the organization; what is remembered elsewhere is not listed",
};
