import { type Decider, storedDeciders, unite } from "../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import type { Content } from "../admin/public.ts";
import { decidersOfVersion } from "./deciders-sql.ts";
import type { AgentDefinition } from "./definition.ts";
import { draftObject } from "./draft-store.ts";
import { agentFacts } from "./facts.ts";
import type { AgentRow } from "./store.ts";
import { findNewestVersion, type VersionRecord } from "./version-store.ts";

// Who decided a version of an agent, without what a second person has looked at in the environment: rule B of decision 0064.

/** The name of a version among what a second person confirms. */
export const versionObject = (agent: string, number: number): string => `agent:${agent}@${number}`;

/** Deciders of a draft, as those of the version that is frozen of it. */
export const asVersion = (deciders: readonly Decider[], agent: string, number: number): Decider[] =>
  deciders.map((one) => (one.of === draftObject(agent) ? { ...one, of: versionObject(agent, number) } : one));

/** Who decided a version, without what a second person has looked at here. Of those that are live, from memory. */
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

/** Who decided a version itself, whatever deployed it, without what a second person has looked at here. */
export const authorsOfVersion = (
  ctx: ReadContext | WriteContext,
  agent: string,
  number: number,
): Promise<readonly Decider[]> => readAuthors(ctx, agent, number, ctx.scope.environment);

/** `environment`: where looks count; null: nowhere. */
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

/**
 * Who decided what a copy of an agent's draft, or of one of its versions, says. Agents are those of all environments, and a look counts in its own alone, so that
 * none counts for the copy.
 */
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

/** The connections that a version uses for its model and for these of its tools. */
export function connectionsUsed({ model, tools }: AgentDefinition, names: readonly string[]): string[] {
  const used = [model, ...tools.filter(({ name }) => names.includes(name))];
  return used.flatMap((part) => (part && "connection" in part && part.connection ? [part.connection] : []));
}
