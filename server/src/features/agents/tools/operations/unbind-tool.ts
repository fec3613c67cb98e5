import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { storeChange } from "../../definitions/effects.ts";
import { type AgentRow, findAgent, seenAgent } from "../../definitions/store.ts";
import { agentRevision, agentView } from "../../definitions/view.ts";
import { agentArchived, toolInUse } from "../../errors.ts";
import { exampleAgent } from "../../example.ts";
import { Agent, AgentName, ToolName, UnbindToolBody } from "../../schemas.ts";
import { skillsWith, unboundFrom } from "../rules.ts";

export const unbindTool = defineOperation({
  id: "agents.unbindTool",
  method: "DELETE",
  path: "/v1/agents/{agent}/tools/{tool}",
  summary: "Remove a tool from an agent's draft",
  description:
    "Existing versions keep it. Refused if a skill names it, unless `from_skills` removes it there as well. The ETag of the agent serves as If-Match.",
  params: Type.Object({ agent: AgentName, tool: ToolName }),
  body: UnbindToolBody,
  output: Agent,
  example: {
    params: { agent: exampleAgent.agent, tool: "get_lead" },
    body: { from_skills: true },
    output: { ...exampleAgent, revision: 2 },
  },
  revision: agentRevision,
  ifMatch: (loaded: AgentRow) => agentRevision(agentView(loaded)),
  permission: "agents:write",
  async load(ctx, { agent, tool }) {
    const row = await findAgent(ctx, agent);
    return row?.draft.tools.some(({ name }) => name === tool) ? row : undefined;
  },
  gate: exempt("changes the draft only; nothing acts by it"),
  decides: "agent_content",
  compliance: governs("agent.change", seenAgent),
  audit: ({ params }) => `agent:${params.agent}`,
  errors: [agentArchived, toolInUse],
  async handle(ctx, { params: { tool }, body, loaded }) {
    const skills = skillsWith(loaded.draft, tool);
    if (skills.length > 0 && body.from_skills !== true)
      throw refuse(toolInUse, `${tool} is named by the skills ${skills.join(", ")}.`);
    return storeChange(ctx, loaded, unboundFrom(loaded.draft, tool));
  },
});
