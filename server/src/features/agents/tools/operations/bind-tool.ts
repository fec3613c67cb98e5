import { Type } from "typebox";
import type { Fault } from "../../../../kernel/errors.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { partsOf, storeChange } from "../../definitions/effects.ts";
import { changedBundle, definitionFaults, lazily } from "../../definitions/rules.ts";
import { type AgentRow, findAgent, namesWithin, seenAgent } from "../../definitions/store.ts";
import { agentRevision, agentView } from "../../definitions/view.ts";
import { agentArchived } from "../../errors.ts";
import { exampleAgent } from "../../example.ts";
import { Agent, AgentName, type BindToolBody as Binding, BindToolBody, ToolName } from "../../schemas.ts";
import { bindingFaults, boundTo, placeInDraft, placeOfBinding } from "../rules.ts";

const bodySchema = lazily(BindToolBody);
const [exampleTool] = exampleAgent.definition.tools;

export const bindTool = defineOperation({
  id: "agents.bindTool",
  method: "PUT",
  path: "/v1/agents/{agent}/tools/{tool}",
  summary: "Bind a tool to an agent's draft",
  description:
    "Adds the tool to the draft, or replaces the one of this name: what it calls, its effect, the arguments that a call may have, the connection whose credentials it uses, and the skills " +
    "that may call it. It takes effect when a version with it is deployed. The ETag of the agent serves as If-Match.",
  params: Type.Object({ agent: AgentName, tool: ToolName }),
  body: BindToolBody,
  output: Agent,
  example: {
    params: { agent: exampleAgent.agent, tool: "get_lead" },
    body: { definition: exampleTool as Binding["definition"], skills: ["qualify_lead"] },
    output: exampleAgent,
  },
  revision: agentRevision,
  ifMatch: (loaded: AgentRow) => agentRevision(agentView(loaded)),
  permission: "agents:write",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  narrowing: byBody(
    "the agent in the path, and bases and connections that the key's agents name already",
    (ctx, { params, body }: { params: { agent: string }; body: Binding }) =>
      namesWithin(ctx, [params.agent], { tools: [body.definition] }),
  ),
  gate: exempt("changes the draft only; nothing acts by it"),
  decides: "agent_content",
  compliance: governs("agent.change", seenAgent),
  audit: ({ params }) => `agent:${params.agent}`,
  errors: [agentArchived],
  validate: (_ctx, { params, body, loaded }) => faultsOf(loaded, params.tool, body),
  handle: (ctx, { params, body, loaded }) => storeChange(ctx, loaded, boundTo(loaded.draft, params.tool, body)),
});

async function faultsOf(loaded: AgentRow, tool: string, body: Binding): Promise<readonly Fault[]> {
  if (typeof body.definition !== "object" || body.definition === null) return [];
  const own = bindingFaults(loaded.draft, tool, body);
  if (own.length > 0) return own;
  const change = boundTo(loaded.draft, tool, body);
  const at = change.tools?.findIndex(({ name }) => name === tool) ?? 0;
  // Faults that the operation's schema reports are not repeated.
  const said = () => bodySchema(body).map((fault) => ({ ...fault, pointer: placeInDraft(fault.pointer, at) }));
  const faults = await definitionFaults(body, changedBundle(loaded.name, partsOf(loaded), change), said);
  return faults.map((fault) => ({ ...fault, pointer: placeOfBinding(fault.pointer ?? "", at) }));
}
