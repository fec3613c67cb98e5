import { refuse } from "../../../kernel/errors.ts";
import { notFound } from "../../../kernel/problems.ts";
import type { Answer } from "../../../pipeline/call.ts";
import { headersOf, jsonAnswer, type ProtocolRequest, startAddress } from "../exchange.ts";
import type { ServiceCalls } from "../service-calls.ts";

// Models are the agents that are deployed in the environment of the key.

interface AgentSeen {
  readonly agent: string;
  readonly created_at: string;
  readonly deployment: { readonly version: number } | null;
}

const modelOf = ({ agent, created_at }: AgentSeen) => ({
  id: agent,
  object: "model",
  created: Math.floor(Date.parse(created_at) / 1000),
  owned_by: "organization",
});

/** GET /v1/models */
export async function listModels({ calls }: ProtocolRequest): Promise<Answer> {
  const found: AgentSeen[] = [];
  let cursor: string | null = null;
  let first: Answer | null = null;
  do {
    const query: Record<string, string> = { status: "deployed", limit: "100", ...(cursor === null ? {} : { cursor }) };
    const page: { output: { data: AgentSeen[]; next_cursor: string | null }; answer: Answer } = await calls.call(
      "GET /v1/agents",
      { query },
    );
    first ??= page.answer;
    found.push(...page.output.data);
    cursor = page.output.next_cursor;
  } while (cursor !== null);
  return jsonAnswer({ object: "list", data: found.map(modelOf) }, headersOf(first, null));
}

/** GET /v1/models/{model} */
export async function readModel({ calls, params }: ProtocolRequest): Promise<Answer> {
  const { agent, version } = partsOfModel(params.model ?? "");
  const { output, answer } = await readAgent(calls, agent);
  // No agent has such a name: it is not found, as any other.
  if (!isLive(output, version)) await readAgent(calls, `${agent}@${version ?? "live"}`);
  return jsonAnswer({ ...modelOf(output), id: params.model }, headersOf(answer, null));
}

/** The agent of a model. One with a version is refused unless that is the live one: conversations pin the version themselves. */
export async function agentOfModel(calls: ServiceCalls, model: string): Promise<string> {
  const { agent, version } = partsOfModel(model);
  if (version === null) return agent;
  const { output } = await readAgent(calls, agent);
  if (!isLive(output, version)) return calls.refuse(startAddress, {}, unknownModel(model));
  return agent;
}

const readAgent = (calls: ServiceCalls, agent: string) =>
  calls.call<AgentSeen>("GET /v1/agents/{agent}", { params: { agent } });

const isLive = ({ deployment }: AgentSeen, version: string | null): boolean =>
  deployment !== null && (version === null || String(deployment.version) === version);

function partsOfModel(model: string): { readonly agent: string; readonly version: string | null } {
  const cut = model.lastIndexOf("@");
  return cut < 0 ? { agent: model, version: null } : { agent: model.slice(0, cut), version: model.slice(cut + 1) };
}

const unknownModel = (model: string) =>
  refuse(
    notFound,
    `${model} does not answer here: no agent of that name and version is live. GET /v1/models lists those that are.`,
    {
      errors: [
        { pointer: "/agent", code: "unknown_agent", detail: "names no version that is live; leave the version out" },
      ],
    },
  );
