import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { agentNotDeployed } from "../../errors.ts";
import { exampleAgent } from "../../example.ts";
import { agentFacts, type KnownAgent } from "../../facts.ts";
import { AgentCard, AgentName } from "../../schemas.ts";
import { cardOf } from "../card.ts";

export const readCard = defineRead({
  id: "agents.readCard",
  path: "/v1/agents/{agent}/card",
  summary: "Read an agent's A2A card",
  description:
    "The agent card of the A2A protocol, version 1.0, by which other agents find this one: the skills of the version that is live in the environment of the key, how to authenticate, and where to send tasks. " +
    "It claims only what the service offers: tasks go through this interface, and none of the protocol's own bindings is served.",
  params: Type.Object({ agent: AgentName }),
  output: AgentCard,
  example: {
    params: { agent: "sales" },
    output: cardOf({
      ...exampleAgent,
      version: { number: 1, definition: exampleAgent.definition },
      appUrl: "https://agents.example.com",
    }),
  },
  permission: "agents:read",
  load: (ctx, { agent }) => ctx.facts.get(agentFacts).find(ctx.scope, agent),
  compliance: governs("agent.read", (_ctx, { loaded: { agent, labels } }: { loaded: KnownAgent }) => ({
    agent: { name: agent, labels },
  })),
  audit: ({ params }) => `agent:${params.agent}`,
  errors: [agentNotDeployed],
  handle({ scope, appUrl }, { loaded: { agent, labels, live } }) {
    if (live === null) throw refuse(agentNotDeployed, `${agent} is not deployed in ${scope.environment}.`);
    return cardOf({ agent, labels, version: live, appUrl });
  },
});
