import { type Kept, textsOf } from "../../server/test/upgrade/kept.ts";
import { type ReleaseClient, until } from "./client.ts";

/** Conversations, workflows and missions, as far as a release has them. */
export async function flows(
  client: ReleaseClient,
  paths: ReadonlySet<string>,
): Promise<Pick<Kept, "conversations" | "waitingRun" | "openDecision">> {
  return {
    conversations: paths.has("/v1/chat/conversations") ? await talk(client) : {},
    waitingRun: paths.has("/v1/workflows") ? await startRun(client) : null,
    openDecision: paths.has("/v1/missions") ? await askMission(client) : null,
  };
}

async function talk(client: ReleaseClient): Promise<Kept["conversations"]> {
  const start = { agent: "sales", user: "customer-4711", language: "en" };
  const { conversation_id } = await client.once("admin", "/v1/chat/conversations", start);
  const address = `/v1/chat/conversations/${conversation_id}/messages`;
  let texts: readonly string[] = [];
  for (const text of ["What does the playbook say of budgets?", "And of resellers?"]) {
    await client.once("admin", address, { text });
    const answered = async (): Promise<boolean> => {
      const { data } = await client.call("admin", "GET", address);
      const [newest] = data as { number: number; role: string; status: string }[];
      if (newest === undefined || newest.number < texts.length + 2) return false;
      if (newest.role !== "agent" || newest.status !== "complete") return false;
      texts = textsOf(data);
      return true;
    };
    await until("the agent has answered", answered);
  }
  return { [conversation_id as string]: texts };
}

async function startRun(client: ReleaseClient): Promise<string> {
  await client.once("admin", "/v1/workflows", {
    workflow: "look_at_lead",
    description: "Asks a person, then summarizes the lead.",
    input: { type: "object", required: ["lead_id"], properties: { lead_id: { type: "string", pattern: "^ld_" } } },
    steps: [
      { id: "ask", approval: { title: "'Summarize ' + input.lead_id + '?'" } },
      { id: "summarize", agent: { name: "sales", skill: "summarize_lead", input: { lead_id: "input.lead_id" } } },
    ],
  });
  await client.once("admin", "/v1/workflows/look_at_lead/publish", { note: "The first." });
  const run = await client.once("admin", "/v1/workflows/look_at_lead/runs", { input: { lead_id: "ld_1002" } });
  const address = `/v1/workflows/look_at_lead/runs/${run.run_id}`;
  await until("the run waits", async () => (await client.call("admin", "GET", address)).status === "waiting");
  return address;
}

async function askMission(client: ReleaseClient): Promise<string> {
  const { mission_id } = await client.once("admin", "/v1/missions", {
    goal: "Qualify the leads.",
    agents: ["sales"],
    budget: { cost_usd: 5, tasks: 20 },
    autonomy: "within_limits",
    measure: { skill: "qualify_lead", where: "status == 'completed'", aggregate: "count", target: 2 },
    inputs: { leads: ["ld_1001", "ld_1002"] },
  });
  const mission = `/v1/missions/${mission_id}`;
  await client.once("admin", `${mission}/plan`, {});
  await client.once("admin", `${mission}/plans/1/accept`, {});
  const question = { question: "May we write to leads outside of the EU?", blocks: true };
  const { decision_id } = await client.once("admin", `${mission}/decisions`, question);
  return `${mission}/decisions/${decision_id}`;
}
