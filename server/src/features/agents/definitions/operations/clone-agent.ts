import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { agentExists, noVersion } from "../../errors.ts";
import { exampleAgent } from "../../example.ts";
import { agentFacts } from "../../facts.ts";
import { Agent, AgentName, CloneAgentBody, CloneSource, NOT_CLONED } from "../../schemas.ts";
import { authorsOfCopied } from "../../versions/deciders.ts";
import { findVersionRecord } from "../../versions/store.ts";
import { digestOf } from "../bundle/index.ts";
import { partsOfCopy } from "../rules.ts";
import { type AgentRow, findAgent, insertAgent } from "../store.ts";
import { agentRevision, agentView } from "../view.ts";

const ClonedAgent = Type.Object({ ...Agent.properties, cloned_from: CloneSource });
const exampleSource = { agent: "sales", version: 1, digest: "0".repeat(64), not_cloned: [...NOT_CLONED] };

export const cloneAgent = defineOperation({
  id: "agents.cloneAgent",
  method: "POST",
  path: "/v1/agents/{agent}/clone",
  status: 201,
  summary: "Clone an agent",
  description:
    "Makes a new draft under another name from the draft or a version of this agent; archived agents can be cloned too. Agents belong to the organization, so the clone can be deployed in any environment. " +
    "It has no versions, deployments, trust or feedback of its own yet: `cloned_from.not_cloned` says what stays with the original. The caller owns the clone.",
  params: Type.Object({ agent: AgentName }),
  body: CloneAgentBody,
  output: ClonedAgent,
  example: {
    params: { agent: "sales" },
    body: { name: "sales-eu", version: 1 },
    output: { ...exampleAgent, agent: "sales-eu", status: "draft", deployment: null, cloned_from: exampleSource },
  },
  location: ({ agent }) => `/v1/agents/${agent}`,
  revision: agentRevision,
  permission: "agents:write",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  narrowing: byBody(
    "the agent in the path and the name of the clone",
    (_ctx, { params, body }: { params: { agent: string }; body: CloneAgentBody }) => [params.agent, body.name],
  ),
  gate: exempt("makes a draft; nothing acts"),
  decides: "agent_content",
  compliance: governs(
    "agent.create",
    (_ctx, { loaded, body }: { params: { agent: string }; loaded: AgentRow; body: CloneAgentBody }) => ({
      agent: { name: body.name, labels: body.labels ?? loaded.labels },
    }),
  ),
  audit: ({ params, output }) => `agent:${output?.agent ?? params.agent}`,
  errors: [agentExists, noVersion],
  async handle(ctx, { loaded, body: { name, version = null, ...own } }) {
    const frozen = version === null ? null : await findVersionRecord(ctx, loaded.name, version);
    if (frozen === undefined) throw refuse(noVersion, `${loaded.name} has no version ${version}.`);
    const source = { labels: loaded.labels, definition: frozen?.definition ?? loaded.draft };
    const parts = partsOfCopy(own, source);
    const authors = await authorsOfCopied(ctx, loaded, version);
    const row = await insertAgent(ctx, { name, owner: ctx.principal.id, ...parts }, authors);
    if (!row) throw refuse(agentExists, `There is an agent ${name}. Choose another name.`);
    ctx.touch(agentFacts);
    return {
      ...agentView(row),
      cloned_from: { agent: loaded.name, version, digest: digestOf(source.definition), not_cloned: [...NOT_CLONED] },
    };
  },
});
