import { Type } from "typebox";
import type { Fault } from "../../../../kernel/errors.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { agentArchived } from "../../errors.ts";
import { exampleAgent } from "../../example.ts";
import { Agent, AgentName, ChangeDraftBody } from "../../schemas.ts";
import { partsOf, storeChange } from "../effects.ts";
import { readAgentFile, yamlType } from "../file.ts";
import { asWholeChange, bundleToCheck, definitionFaults, lazily, markSound } from "../rules.ts";
import { type AgentRow, findAgent, namesWithin, seenAgent } from "../store.ts";
import { agentRevision, agentView } from "../view.ts";

const bodySchema = lazily(ChangeDraftBody);

export const changeDraft = defineOperation({
  id: "agents.changeDraft",
  method: "PATCH",
  path: "/v1/agents/{agent}",
  listed: true,
  summary: "Change an agent's draft",
  description:
    "Members replace the draft's as a whole; null removes one; omitted ones stay. As a file (`Content-Type: application/yaml`) " +
    "it is the whole draft: what the file omits is removed. Frozen versions never change. A request that changes nothing leaves the revision " +
    "as it is. The ETag of either representation serves as If-Match.",
  params: Type.Object({ agent: AgentName }),
  body: ChangeDraftBody,
  reads: { [yamlType]: async (bytes) => markSound(asWholeChange(await readAgentFile(bytes))) },
  output: Agent,
  example: {
    params: { agent: "sales" },
    body: { description: exampleAgent.description, labels: exampleAgent.labels },
    output: { ...exampleAgent, revision: 2 },
  },
  revision: agentRevision,
  ifMatch: (loaded: AgentRow) => agentRevision(agentView(loaded)),
  permission: "agents:write",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  narrowing: byBody(
    "the agent in the path, and bases and connections that the key's agents name already",
    (ctx, { params, body }: { params: { agent: string }; body: ChangeDraftBody }) =>
      namesWithin(ctx, [params.agent], body),
  ),
  gate: exempt("changes the draft only; nothing acts by it"),
  decides: "agent_content",
  compliance: governs("agent.change", seenAgent),
  audit: ({ params }) => `agent:${params.agent}`,
  errors: [agentArchived],
  validate: (_ctx, { body, loaded }) => bodyFaults(body, loaded),
  handle: (ctx, { body, loaded }) => storeChange(ctx, loaded, body),
});

/** Checks the draft as it would be: a tool that is removed may be one that a skill needs. */
async function bodyFaults(body: ChangeDraftBody, loaded: AgentRow): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  if (body.agent !== undefined && body.agent !== loaded.name)
    faults.push({
      pointer: "/agent",
      code: "another_agent",
      detail: `names another agent than the address, ${loaded.name}; names do not change, copy the agent by POST /v1/agents with \`from\``,
    });
  return [...faults, ...(await definitionFaults(body, bundleToCheck(loaded.name, partsOf(loaded), body), bodySchema))];
}
