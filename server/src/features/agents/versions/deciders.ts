import { type Decider, storedDeciders, unite } from "../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { ConfirmableKind, Content } from "../../admin/public.ts";
import type { AgentDefinition } from "../definitions/schemas.ts";
import { type AgentRow, draftObject } from "../definitions/store.ts";
import { agentFacts } from "../facts.ts";
import { decidersOfVersion } from "./resource.ts";
import { findNewestVersion, findVersionRecord, type VersionRecord } from "./store.ts";

// Deciders of a version, without what a second person has confirmed in the environment: rule B of decision 0064.

/** Names a version in confirmations. */
export const versionObject = (agent: string, number: number): string => `agent:${agent}@${number}`;

/** The deciders of a draft, as those of the version frozen from it. */
export const asVersion = (deciders: readonly Decider[], agent: string, number: number): Decider[] =>
  deciders.map((one) => (one.of === draftObject(agent) ? { ...one, of: versionObject(agent, number) } : one));

/** Live versions are read from memory. */
export async function versionDeciders(
  ctx: ReadContext | WriteContext,
  agent: string,
  versionId: string,
): Promise<readonly Decider[]> {
  const { live, canary } = ctx.facts.get(agentFacts).find(ctx.scope, agent) ?? {};
  const known = [live, canary?.version].find((version) => version?.id === versionId);
  if (known) return known.deciders;
  const [row] = await ctx.db.query<{ deciders: unknown }>(
    `select ${decidersOfVersion("v", "$2", "d")} as deciders from agent_versions v
     left join lateral (select deciders from deployments where organization = $1 and environment = $2 and agent = v.agent and version_number = v.number
       order by id desc limit 1) d on true
     where v.organization = $1 and v.id = $3`,
    [ctx.scope.organization, ctx.scope.environment, versionId],
  );
  return storedDeciders(row?.deciders);
}

/** Whatever deployed it. */
export const authorsOfVersion = (
  ctx: ReadContext | WriteContext,
  agent: string,
  number: number,
): Promise<readonly Decider[]> => readAuthors(ctx, agent, number, ctx.scope.environment);

/** `environment`: where confirmations count; null: nowhere. */
async function readAuthors(
  ctx: ReadContext | WriteContext,
  agent: string,
  number: number,
  environment: string | null,
): Promise<readonly Decider[]> {
  const [row] = await ctx.db.query<{ deciders: unknown }>(
    `select ${decidersOfVersion("v", "$2::text", "d")} as deciders from agent_versions v
     cross join (select null::jsonb as deciders) d where v.organization = $1 and v.agent = $3 and v.number = $4`,
    [ctx.scope.organization, environment, agent, number],
  );
  return storedDeciders(row?.deciders);
}

/** A confirmation counts only in its own environment, and agents are in all: none counts for the copy. */
export async function authorsOfCopied(
  ctx: WriteContext,
  { name, draft_deciders }: Pick<AgentRow, "name" | "draft_deciders">,
  version: number | null,
): Promise<readonly Decider[]> {
  if (version !== null) return readAuthors(ctx, name, version, null);
  const newest = await findNewestVersion(ctx, name);
  return unite(storedDeciders(draft_deciders), newest ? await readAuthors(ctx, name, newest.number, null) : []);
}

/** A version as a second person confirms it. */
export const contentOfVersion = async (
  ctx: ReadContext | WriteContext,
  { agent, number, id, digest }: Pick<VersionRecord, "agent" | "number" | "id" | "digest">,
): Promise<Content> => ({
  object: versionObject(agent, number),
  digest: digest ?? id,
  deciders: await authorsOfVersion(ctx, agent, number),
});

/** Of its model and the named tools. */
export function connectionsUsed({ model, tools }: AgentDefinition, names: readonly string[]): string[] {
  const used = [model, ...tools.filter(({ name }) => names.includes(name))];
  return used.flatMap((part) => (part && "connection" in part && part.connection ? [part.connection] : []));
}

const named = /^([^@]+)@([1-9][0-9]{0,8})$/;

export const confirmableVersion: ConfirmableKind = {
  kind: "agent",
  permission: "agents:read",
  async find(ctx, name) {
    const [, agent, number] = named.exec(name) ?? [];
    const version = agent && number && (await findVersionRecord(ctx, agent, Number(number)));
    if (!version) return undefined;
    const path = `/v1/agents/${agent}/versions/${number}`;
    return { ...(await contentOfVersion(ctx, version)), agents: [version.agent], path };
  },
  confirmed: (ctx) => ctx.touch(agentFacts),
};
