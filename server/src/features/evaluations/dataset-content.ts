import { type Decider, storedDeciders, unite } from "../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { type ConfirmableKind, type Content, type Decided, listDecided } from "../admin/public.ts";
import type { DatasetRow } from "./dataset-store.ts";

// Versions of datasets as a second person confirms them: what agents are trained on.

/** The name of a version of a dataset among what people confirm. */
export const datasetObject = (id: string, version: number): string => `dataset:${id}@${version}`;

interface ContentRow {
  readonly id: string;
  readonly version: number;
  readonly agent: string;
  readonly digest: string;
  readonly deciders: unknown;
}

/**
 * These versions as they stand. A version keeps the items of the one before, so that its deciders are those of all versions after the newest that a second person has
 * looked at here.
 */
async function findContents(
  ctx: ReadContext | WriteContext,
  versions: readonly { readonly id: string; readonly version: number }[],
): Promise<(Content & { readonly agent: string })[]> {
  const digest = (v: string): string => `coalesce(${v}.digest, ${v}.dataset_id || '@' || ${v}.version)`;
  const rows = await ctx.db.query<ContentRow>(
    `select v.dataset_id as id, v.version, d.agent, ${digest("v")} as digest, (
       select json_agg(e) from (
         select coalesce(max(l.version), 0) as version from dataset_versions l
         join confirmations k on k.organization = l.organization and k.environment = $2
           and k.object = 'dataset:' || l.dataset_id || '@' || l.version and k.digest = ${digest("l")}
         where l.organization = v.organization and l.dataset_id = v.dataset_id and l.version <= v.version) looked,
       lateral (select jsonb_array_elements(u.deciders) as e from dataset_versions u
         where u.organization = v.organization and u.dataset_id = v.dataset_id and u.version <= v.version and u.version > looked.version
         order by u.version) decided) as deciders
     from unnest($3::text[], $4::int[]) with ordinality as asked (id, version, place)
     join dataset_versions v on v.organization = $1 and v.dataset_id = asked.id and v.version = asked.version
     join datasets d on d.organization = $1 and d.id = v.dataset_id order by asked.place`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      versions.map(({ id }) => id),
      versions.map(({ version }) => version),
    ],
  );
  return rows.map(({ id, version, agent, digest, deciders }) => ({
    object: datasetObject(id, version),
    digest,
    agent,
    deciders: unite(storedDeciders(deciders)),
  }));
}

/** Who decided a version of a dataset, without what a second person has looked at here. */
export async function authorsOfDataset(
  ctx: ReadContext | WriteContext,
  id: string,
  version: number,
): Promise<readonly Decider[]> {
  return (await findContents(ctx, [{ id, version }]))[0]?.deciders ?? [];
}

/** Datasets, each with how its present version stands. */
export async function withDecided(ctx: ReadContext | WriteContext, rows: readonly DatasetRow[]): Promise<DecidedSet[]> {
  const contents = await findContents(ctx, rows);
  const decided = await listDecided(ctx, contents);
  return rows.map((row, at) => ({ ...row, digest: contents[at]?.digest ?? "", ...(decided[at] as Decided) }));
}

/** A dataset with how its present version stands. */
export type DecidedSet = DatasetRow & Decided & { readonly digest: string };

const named = /^(ds_[0-9a-z]+)@([1-9][0-9]{0,8})$/;

export const confirmableDataset: ConfirmableKind = {
  kind: "dataset",
  permission: "evaluations:read",
  async find(ctx, name) {
    const [, id, version] = named.exec(name) ?? [];
    const [found] = id && version ? await findContents(ctx, [{ id, version: Number(version) }]) : [];
    if (!found) return undefined;
    const { agent, ...content } = found;
    return { ...content, agents: [agent], path: "/v1/evaluations/datasets" };
  },
};
