import type { Decider } from "../../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../../kernel/context.ts";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { byBody, type Concerned } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { invalidBody } from "../../../../kernel/problems.ts";
import { agentExists } from "../../errors.ts";
import { exampleAgent, exampleBundle } from "../../example.ts";
import { agentFacts } from "../../facts.ts";
import { Agent, CreateAgentBody } from "../../schemas.ts";
import { authorsOfCopied } from "../../versions/deciders.ts";
import { findVersionRecord } from "../../versions/store.ts";
import { readAgentFile, yamlType } from "../file.ts";
import {
  bundleOf,
  combinationFaults,
  type DraftParts,
  definitionFaults,
  lazily,
  markSound,
  partsOfCopy,
  partsOfNew,
  wordsOf,
} from "../rules.ts";
import { findAgent, insertAgent, namesWithin } from "../store.ts";
import { agentRevision, agentView } from "../view.ts";

const bodySchema = lazily(CreateAgentBody);

export const createAgent = defineOperation({
  id: "agents.createAgent",
  method: "POST",
  path: "/v1/agents",
  status: 201,
  listed: true,
  summary: "Create an agent",
  description:
    "Creates a draft in one of three ways: whole, as JSON or as the agent's file (`Content-Type: application/yaml`); as a copy, by `from`, which also serves as a " +
    "template; or blank, with name and description alone, on the built-in model. It may be unfinished, and acts only once a version is deployed. " +
    "Faults of a file carry line and column. The caller owns the agent.",
  body: CreateAgentBody,
  reads: { [yamlType]: async (bytes) => markSound(await readAgentFile(bytes)) },
  output: Agent,
  example: { body: exampleBundle, output: { ...exampleAgent, status: "draft", deployment: null } },
  location: ({ agent }) => `/v1/agents/${agent}`,
  revision: agentRevision,
  permission: "agents:write",
  load: exempt("names no object; the agent's name stands in the body"),
  narrowing: byBody(
    "the agent, the one that it copies, and bases and connections that the key's agents name already",
    concerned,
  ),
  gate: exempt("makes a draft; nothing acts"),
  decides: "agent_content",
  compliance: governs("agent.create", (_ctx, { body }: { body: CreateAgentBody }) => ({
    agent: { name: body.agent, labels: body.labels ?? [] },
  })),
  audit: ({ output }) => (output ? `agent:${output.agent}` : "agents"),
  errors: [agentExists],
  validate: (_ctx, { body }) => bodyFaults(body),
  async handle(ctx, { body }) {
    const source = body.from && (await sourceOf(ctx, body.from));
    const parts = source ? partsOfCopy(body, source) : partsOfNew(body);
    const row = await insertAgent(ctx, { name: body.agent, owner: ctx.principal.id, ...parts }, source?.authors);
    if (!row) {
      const known = await findAgent(ctx, body.agent);
      const archived = (known?.archived_at ?? null) === null ? "" : ", and it is archived";
      throw refuse(
        agentExists,
        `There is an agent ${body.agent}${archived}. Change its draft, or choose another name.`,
      );
    }
    ctx.touch(agentFacts);
    return agentView(row);
  },
});

function bodyFaults(body: CreateAgentBody): readonly Fault[] | Promise<readonly Fault[]> {
  const combination = combinationFaults(body);
  if (combination.length > 0) return combination;
  return definitionFaults(body, body.from === undefined ? bundleOf(body) : wordsOf(body.agent, body), bodySchema);
}

/** A narrowed key may use only what its agents use already. */
function concerned(ctx: ReadContext, { body }: { body: CreateAgentBody }): Promise<Concerned> {
  return namesWithin(ctx, body.from ? [body.agent, body.from.agent] : [body.agent], body);
}

/** Archived agents can be copied: the copy does not act through them. */
async function sourceOf(
  ctx: WriteContext,
  from: { agent: string; version?: number },
): Promise<DraftParts & { readonly authors: readonly Decider[] }> {
  const row = await findAgent(ctx, from.agent);
  if (!row) throw invalid("/from/agent", "unknown_agent", `names no agent; there is no ${from.agent}`);
  const authors = await authorsOfCopied(ctx, row, from.version ?? null);
  if (from.version === undefined) return { labels: row.labels, definition: row.draft, authors };
  const version = await findVersionRecord(ctx, row.name, from.version);
  if (!version)
    throw invalid(
      "/from/version",
      "unknown_version",
      `names no version of ${row.name}; GET /v1/agents/${row.name}/versions lists them`,
    );
  return { labels: row.labels, definition: version.definition, authors };
}

function invalid(pointer: string, code: string, detail: string): Error {
  return refuse(invalidBody, `${pointer}: ${detail}`, { errors: [{ pointer, code, detail }] });
}
