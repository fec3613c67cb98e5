import { type Decider, decidersOf, idsOf, storableDeciders, storedDeciders, unite } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { type ConfirmableKind, type Content, decidesStrictly, isAnybodyLeft, noteLook } from "../../admin/public.ts";
import { confirmationRows } from "../../admin/shared-rows.ts";
import type { WorkflowFinding } from "../definitions/schemas.ts";
import { findVersion, type VersionRow } from "./store.ts";

// Who decided a version of a workflow, without what a second person has looked at in the environment: rule B of decision 0064.

/** A version's name for confirmations. */
export const versionObject = (workflow: string, number: number): string => `workflow:${workflow}@${number}`;

export interface UnlookedFound {
  /** A second person has confirmed this version here. */
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
  from (select coalesce((select l.number from workflow_versions l join ${confirmationRows} k on k.organization = $1 and k.environment = $2
      and k.object = 'workflow:' || l.workflow || '@' || l.number and k.digest = l.digest
    where l.organization = $1 and l.workflow = ${workflow} and l.number <= ${number} order by l.number desc limit 1), 0) as number) looked)`;

type Version = Pick<VersionRow, "workflow" | "number">;

const mostKept = 10_000;
/** Confirmed versions by environment; a confirmation is never withdrawn. */
const kept = new Set<string>();
const keyOf = ({ scope }: QueryContext, id: string): string => `${scope.organization} ${scope.environment} ${id}`;

/** Whether this process knows the version as confirmed here, so that no query is needed. */
export const isLooked = (ctx: QueryContext, versionId: string): boolean => kept.has(keyOf(ctx, versionId));

/** Takes the result of {@link unlookedSql}. */
export function unlookedOf(ctx: QueryContext, versionId: string, found: UnlookedFound): readonly Decider[] {
  if (found.looked) {
    if (kept.size >= mostKept) kept.clear();
    kept.add(keyOf(ctx, versionId));
  }
  return storedDeciders(found.deciders);
}

/** The deciders of a version, without those whose work a second person has confirmed here. */
export async function unlooked(
  { scope, db }: QueryContext,
  { workflow, number }: Version,
): Promise<readonly Decider[]> {
  const rows = await db.query<{ found: UnlookedFound }>(`select ${unlookedSql("$3::text", "$4::int")} as found`, [
    scope.organization,
    scope.environment,
    workflow,
    number,
  ]);
  return storedDeciders(rows[0]?.found.deciders);
}

/** A version as a second person confirms it. */
export const contentOf = async (
  ctx: QueryContext,
  version: Version & Pick<VersionRow, "digest">,
): Promise<Content> => ({
  object: versionObject(version.workflow, version.number),
  digest: version.digest,
  deciders: await unlooked(ctx, version),
});

/** The stored deciders of a draft with the caller added. */
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

/** Warns if nobody could approve what runs of the version ask for: its authors may not, and no other approver here can sign in personally. */
export async function whoIsLeft(
  ctx: WriteContext,
  version: Pick<VersionRow, "workflow" | "number">,
): Promise<WorkflowFinding[]> {
  if (!decidesStrictly(ctx)) return [];
  const deciders = idsOf(await unlooked(ctx, version));
  if (deciders.length === 0 || (await isAnybodyLeft(ctx, deciders))) return [];
  const object = versionObject(version.workflow, version.number);
  const detail = `Nobody could approve what its runs ask for in ${ctx.scope.environment}: everybody who may approve there changed or published this version, or cannot sign in with a passkey or OpenID Connect. Have another person confirm ${object}, or give the role approver to somebody else who can sign in that way.`;
  return [{ severity: "warning", pointer: "", code: "nobody_could_approve", detail }];
}
