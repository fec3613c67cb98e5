import { Type } from "typebox";
import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { endCanaryFor } from "../../deployments/canaries/effects.ts";
import { deploymentAborted, deploymentChanged, shadowEnded } from "../../deployments/events.ts";
import { agentArchived, agentDeployedElsewhere, agentInUse } from "../../errors.ts";
import { exampleAgent } from "../../example.ts";
import { agentFacts } from "../../facts.ts";
import { Agent, AgentName, ArchiveAgentBody } from "../../schemas.ts";
import { activeDependents } from "../dependents.ts";
import {
  endLiveDeployment,
  endSchedules,
  findAgent,
  isLiveElsewhere,
  lockAgent,
  seenAgent,
  setArchived,
  setPause,
} from "../store.ts";
import { agentRevision, agentView } from "../view.ts";

export const archiveAgent = defineOperation({
  id: "agents.archiveAgent",
  method: "DELETE",
  path: "/v1/agents/{agent}",
  listed: true,
  summary: "Archive an agent",
  description:
    "Takes the agent out of service: its deployment in the environment of the key ends, new work is refused, and open work there finishes or, with " +
    "`mode: cancel`, is cancelled. Its schedules end. Drafts, versions and the audit trail stay. Refused while it is live in another environment and, without `force`, while live workflows, " +
    "running missions or chat channels in the environment of the key use it. POST /v1/agents/{agent}/restore restores it as a draft.",
  params: Type.Object({ agent: AgentName }),
  body: ArchiveAgentBody,
  output: Agent,
  example: {
    params: { agent: "sales" },
    body: { reason: "The team has moved to another agent." },
    output: {
      ...exampleAgent,
      status: "archived",
      deployment: null,
      paused: {
        mode: "drain",
        reason: "The team has moved to another agent.",
        since: exampleAgent.updated_at,
        by: exampleAgent.owner,
      },
    },
  },
  revision: agentRevision,
  permission: "agents:write",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  gate: exempt("ends work"),
  decides: exempt("stops an agent; its reason is for people"),
  compliance: governs("agent.archive", seenAgent),
  audit: ({ params }) => `agent:${params.agent}`,
  emits: [deploymentChanged, deploymentAborted, shadowEnded],
  errors: [agentArchived, agentDeployedElsewhere, agentInUse],
  async handle(ctx, { loaded: { name }, body }) {
    const { archived_at } = await lockAgent(ctx, name);
    if (archived_at !== null) throw refuse(agentArchived, `${name} was archived at ${archived_at.toISOString()}.`);
    if (await isLiveElsewhere(ctx, name)) {
      throw refuse(
        agentDeployedElsewhere,
        `${name} is live in another environment; it is archived from the last one in which it is.`,
      );
    }
    if (!body.force) await refuseInUse(ctx, name);
    await endCanaryFor(ctx, name, { cause: "archived", reason: body.reason });
    const ended = await endLiveDeployment(ctx, name);
    await setArchived(ctx, name);
    const row = await setPause(ctx, name, body.mode ?? "drain", body.reason);
    await endSchedules(ctx, name);
    if (ended) {
      ctx.emit(deploymentChanged, {
        agent: name,
        deployment_id: ended.id,
        version: null,
        previous_version: ended.version_number,
        kind: "end",
        by: ctx.principal.id,
      });
    }
    ctx.touch(agentFacts);
    return agentView(row);
  },
});

async function refuseInUse(ctx: WriteContext, agent: string): Promise<void> {
  const { count, shown } = await activeDependents(ctx, agent, ctx.principal);
  if (count === 0) return;
  const names = shown.slice(0, 5).map(({ kind, name }) => `the ${kind} ${name}`);
  const hidden = count - names.length;
  const rest = hidden > 0 ? [names.length > 0 ? `${hidden} more` : `${hidden} that the key may not read`] : [];
  throw refuse(agentInUse, `${agent} is used by ${[...names, ...rest].join(", ")}.`, {
    members: { dependents: shown },
  });
}
