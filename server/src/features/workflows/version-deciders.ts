import { type Decider, decidersOf, storableDeciders, storedDeciders, unite } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { type ConfirmableKind, type Content, noteLook } from "../admin/public.ts";
import type { Looking } from "./plans.ts";
import { findVersion, type VersionRow } from "./version-store.ts";

// Who decided a version of a workflow, without what a second person has looked at in the environment: rule B of decision 0064.

/** The name of a version among what a second person confirms. */
export const versionObject = (workflow: string, number: number): string => `workflow:${workflow}@${number}`;

export interface UnlookedFound {
  /** A second person has looked at exactly this version here. */
  readonly looked: boolean;
  readonly deciders: unknown;
}

/**
 * SQL: `{ looked, deciders }` of a version in the environment $2 of the organization $1. `workflow`, `number`: expressions. Its deciders are those of all versions after
 * the newest that a second person has looked at, since a draft is edited on from the version before, and who released it last where nobody looked at it. Each person
 * stands in it once for each thing that they did, with the latest time.
 */
export const unlookedSql = (workflow: string, number: string): string => `(
  select json_build_object('looked', looked.number = ${number}, 'deciders', (select coalesce(json_agg(one), '[]') from (
    select distinct on (one ->> 'id', one ->> 'how') one from (
    select jsonb_array_elements(u.deciders) as one from workflow_versions u
    where u.organization = $1 and u.workflow = ${workflow} and u.number <= ${number} and u.number > looked.number
    union
    (select jsonb_array_elements(r.deciders) from (select deciders from workflow_releases r
      where r.organization = $1 and r.environment = $2 and r.workflow = ${workflow} and r.version_number = ${number} order by r.id desc limit 1) r
     where looked.number < ${number})) decided order by one ->> 'id', one ->> 'how', one ->> 'at' desc nulls last) each_once))
  from (select coalesce((select l.number from workflow_versions l join confirmations k on k.organization = $1 and k.environment = $2
      and k.object = 'workflow:' || l.workflow || '@' || l.number and k.digest = l.digest
    where l.organization = $1 and l.workflow = ${workflow} and l.number <= ${number} order by l.number desc limit 1), 0) as number) looked)`;

type Version = Pick<VersionRow, "workflow" | "number">;

const mostKept = 10_000;
/** Versions at which a second person has looked, by environment: they stay so. */
const kept = new Set<string>();
const keyOf = ({ scope }: Looking, id: string): string => `${scope.organization} ${scope.environment} ${id}`;

/** Whether this process knows that a second person has looked at a version here, so that nobody has to be looked up. */
export const isLooked = (ctx: Looking, versionId: string): boolean => kept.has(keyOf(ctx, versionId));

/** Takes what {@link unlookedSql} found. */
export function unlookedOf(ctx: Looking, versionId: string, found: UnlookedFound): readonly Decider[] {
  if (found.looked) {
    if (kept.size >= mostKept) kept.clear();
    kept.add(keyOf(ctx, versionId));
  }
  return storedDeciders(found.deciders);
}

/** Who decided a version, without what a second person has looked at here. */
export async function unlooked({ scope, db }: Looking, { workflow, number }: Version): Promise<readonly Decider[]> {
  const rows = await db.query<{ found: UnlookedFound }>(`select ${unlookedSql("$3::text", "$4::int")} as found`, [
    ...[scope.organization, scope.environment, workflow, number],
  ]);
  return storedDeciders(rows[0]?.found.deciders);
}

/** A version as a second person confirms it. */
export const contentOf = async (ctx: Looking, version: Version & Pick<VersionRow, "digest">): Promise<Content> => ({
  object: versionObject(version.workflow, version.number),
  digest: version.digest,
  deciders: await unlooked(ctx, version),
});

/** The deciders of a draft with the caller, as they are stored. `earlier`: those that are stored. */
export const draftDecidersWith = (ctx: WriteContext, workflow: string, earlier: unknown): string | null =>
  storableDeciders(unite(storedDeciders(earlier), decidersOf(ctx, "workflow", `workflow:${workflow}`)));

/** The deciders of a draft as those of the version that it is frozen as. */
export const frozenDeciders = (draft: unknown, { workflow, number }: Version): string | null =>
  storableDeciders(storedDeciders(draft).map((one) => ({ ...one, of: versionObject(workflow, number) })));

/**
 * A release is a look at the version where who makes it is a second person and said which content they mean, since somebody may change a draft between their read
 * and their call; else they have decided it too. Returns these deciders, as a release stores them.
 */
export async function lookOrDecide(ctx: WriteContext, version: VersionRow, isNamed: boolean): Promise<string | null> {
  const content = await contentOf(ctx, version);
  if (isNamed && (await noteLook(ctx, content, "published"))) return null;
  return storableDeciders(decidersOf(ctx, "workflow", content.object));
}

export const confirmableWorkflow: ConfirmableKind = {
  kind: "workflow",
  permission: "workflows:read",
  async find(ctx, name) {
    const [, workflow, number] = /^([a-z][a-z0-9_-]*)@([1-9]\d{0,8})$/.exec(name) ?? [];
    const version = workflow === undefined ? undefined : await findVersion(ctx, workflow, Number(number));
    if (!version) return undefined;
    const { agents } = version;
    const path = `/v1/workflows/${workflow}/versions/${number}`;
    return { ...(await contentOf(ctx, version)), agents, path };
  },
};
