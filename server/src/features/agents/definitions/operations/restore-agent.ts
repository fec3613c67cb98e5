import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { agentNotArchived } from "../../errors.ts";
import { exampleAgent } from "../../example.ts";
import { agentFacts } from "../../facts.ts";
import { Agent, AgentName } from "../../schemas.ts";
import { findAgent, lockAgent, seenAgent, setRestored } from "../store.ts";
import { agentRevision, agentView } from "../view.ts";

export const restoreAgent = defineOperation({
  id: "agents.restoreAgent",
  method: "POST",
  path: "/v1/agents/{agent}/restore",
  summary: "Restore an archived agent",
  description:
    "Turns an archived agent into a draft again, with its versions, owner and history, and lifts the pause that archiving set. It is not deployed until somebody deploys a version, " +
    "and its gates judge as before. Tasks that archiving cancelled and schedules that it ended do not come back.",
  params: Type.Object({ agent: AgentName }),
  output: Agent,
  example: { params: { agent: "sales" }, output: { ...exampleAgent, status: "draft", deployment: null } },
  revision: agentRevision,
  permission: "agents:write",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  gate: exempt("an agent acts only once a version is deployed"),
  decides: exempt("brings back the draft as it was"),
  compliance: governs("agent.restore", seenAgent),
  audit: ({ params }) => `agent:${params.agent}`,
  errors: [agentNotArchived],
  async handle(ctx, { loaded: { name } }) {
    const { archived_at } = await lockAgent(ctx, name);
    if (archived_at === null) throw refuse(agentNotArchived, `${name} is not archived.`);
    const row = await setRestored(ctx, name, archived_at);
    ctx.touch(agentFacts);
    return agentView(row);
  },
});
