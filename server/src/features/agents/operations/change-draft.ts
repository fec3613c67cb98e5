import { Type } from "typebox";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { byBody } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { invalidBody, staleRevision } from "../../../kernel/problems.ts";
import { readAgentFile, yamlType } from "../agent-file.ts";
import {
  asWholeChange,
  bundleToCheck,
  changedParts,
  type DraftParts,
  definitionFaults,
  lazily,
  markSound,
  sameParts,
} from "../draft-model.ts";
import { isMember, updateDraft } from "../draft-store.ts";
import { agentArchived } from "../errors.ts";
import { exampleAgent } from "../example.ts";
import { agentFacts } from "../facts.ts";
import { Agent, AgentName, ChangeDraftBody } from "../schemas.ts";
import { type AgentRow, findAgent, readAgentAgain, seenAgent } from "../store.ts";
import { namesWithin } from "../uses-store.ts";
import { agentRevision, agentView } from "../view.ts";

const bodySchema = lazily(ChangeDraftBody);
const partsOf = ({ labels, draft }: AgentRow): DraftParts => ({ labels, definition: draft });

export const changeDraft = defineOperation({
  id: "agents.changeDraft",
  method: "PATCH",
  path: "/v1/agents/{agent}",
  listed: true,
  summary: "Change an agent's draft",
  description:
    "Each member that is given takes the place of the draft's, whole; null takes one away; what is left out stays. As a file (`Content-Type: application/yaml`) " +
    "it is the whole draft: what the file leaves out is taken away. Versions that were frozen never change. A change that changes nothing leaves the revision " +
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
  compliance: governs("agent.change", seenAgent),
  audit: ({ params }) => `agent:${params.agent}`,
  errors: [agentArchived],
  validate: (_ctx, { body, loaded }) => bodyFaults(body, loaded),
  async handle(ctx, { body, loaded }) {
    const { name, revision } = loaded;
    const [present, parts] = [partsOf(loaded), changedParts(name, partsOf(loaded), body)];
    const owner = body.owner ?? loaded.owner;
    if (loaded.archived_at === null && owner === loaded.owner && sameParts(parts, present)) return agentView(loaded);
    if (body.owner !== undefined && !(await isMember(ctx, body.owner))) throw unknownOwner(body.owner);
    const changed = await updateDraft(ctx, { name, owner, ...parts }, revision);
    const row = await readAgentAgain(ctx, name);
    if (row.archived_at !== null)
      throw refuse(agentArchived, `${name} is archived; its draft does not change any more.`);
    if (!changed)
      throw refuse(
        staleRevision,
        "It was changed since you read it; read it again and repeat the change on what is there now.",
      );
    // Labels are all that facts hold of a draft.
    if (JSON.stringify(parts.labels) !== JSON.stringify(present.labels)) ctx.touch(agentFacts);
    return agentView(row);
  },
});

/** What is wrong with a change, seen together with the draft that it is made to: a tool that goes may be one that a skill needs. */
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

function unknownOwner(id: string): Error {
  const detail = `is no member; ${id} was not found. Use the id of one, mbr_…`;
  return refuse(invalidBody, `/owner: ${detail}`, { errors: [{ pointer: "/owner", code: "unknown_member", detail }] });
}
