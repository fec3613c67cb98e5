import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { invalidBody } from "../../../../kernel/problems.ts";
import { agentArchived } from "../../errors.ts";
import { exampleAgent } from "../../example.ts";
import { Agent, AgentName, TransferAgentBody } from "../../schemas.ts";
import { findAgent, isMember, lockAgent, seenAgent, setOwner } from "../store.ts";
import { agentRevision, agentView } from "../view.ts";

export const transferAgent = defineOperation({
  id: "agents.transferAgent",
  method: "POST",
  path: "/v1/agents/{agent}/transfer",
  summary: "Transfer an agent to another owner",
  description:
    "Names the member who answers for the agent from now on. Ownership gives no rights: who may change or deploy it is decided by roles and keys. `GET /v1/agents?owner=…` lists the agents of a member.",
  params: Type.Object({ agent: AgentName }),
  body: TransferAgentBody,
  output: Agent,
  example: {
    params: { agent: "sales" },
    body: { owner: "mbr_01jd8x0000000000000000000b" },
    output: { ...exampleAgent, owner: "mbr_01jd8x0000000000000000000b", revision: 2 },
  },
  revision: agentRevision,
  permission: "agents:write",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  gate: exempt("makes no agent act"),
  decides: exempt("names who answers for the agent; that changes nothing of what it does"),
  compliance: governs("agent.transfer", seenAgent),
  audit: ({ params }) => `agent:${params.agent}`,
  errors: [agentArchived],
  async handle(ctx, { loaded, body: { owner } }) {
    const { name } = loaded;
    const { archived_at } = await lockAgent(ctx, name);
    if (archived_at !== null) throw refuse(agentArchived, `${name} is archived. Restore it first.`);
    if (!(await isMember(ctx, owner))) throw unknownOwner(owner);
    return agentView(owner === loaded.owner ? loaded : await setOwner(ctx, name, owner));
  },
});

function unknownOwner(id: string): Error {
  const detail = `names no member: ${id}; use the id of one, mbr_…, as GET /v1/admin/members lists them`;
  return refuse(invalidBody, `/owner ${detail}`, { errors: [{ pointer: "/owner", code: "unknown_member", detail }] });
}
