import { canonicalJson } from "@aos/strict-json";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { AgentDefinition } from "../definitions/schemas.ts";

/** Trained models of a new version. */
export interface NewModels {
  readonly definition: AgentDefinition;
  /** The version whose models it inherits, for skills with an unchanged output; null: none. */
  readonly learntFrom: string | null;
  /** The model that a training job made. */
  readonly learnt?: { readonly skill: string; readonly job: string };
}

export interface SkillModelRow {
  /** As the trainer states it: equal for equal artifacts, so readers can cache by it. */
  digest: string;
  artifact: Buffer;
  /** JSON: figures per field on held-out examples. */
  report: unknown;
}

/** A call's context, or a machine with its organization. */
export type ModelFinder =
  | (Pick<CallContext, "scope"> & { readonly db: Pick<Reader, "query"> })
  | { readonly scope: { readonly organization: string }; readonly db: Statements };

/** Undefined if nothing was trained. The artifact can be megabytes: read the digest first. */
export async function findSkillModel(
  from: ModelFinder,
  versionId: string,
  skill: string,
): Promise<SkillModelRow | undefined> {
  const rows = await from.db.query<SkillModelRow>(
    "select digest, artifact, report from skill_models where organization = $1 and version_id = $2 and skill = $3",
    [from.scope.organization, versionId, skill],
  );
  return rows[0];
}

/** Tells whether a cached model is still the one. */
export async function findSkillModelDigest(
  from: ModelFinder,
  versionId: string,
  skill: string,
): Promise<string | undefined> {
  const rows = await from.db.query<{ digest: string }>(
    "select digest from skill_models where organization = $1 and version_id = $2 and skill = $3",
    [from.scope.organization, versionId, skill],
  );
  return rows[0]?.digest;
}

/**
 * Gives a new version its trained models: that of the training job it comes from, and those of the version before it for skills that still answer in the same
 * form, so that what was learnt survives a change of words. Answers their digests by skill.
 */
export async function insertModels(
  ctx: WriteContext,
  versionId: string,
  { definition, learntFrom, learnt }: NewModels,
): Promise<Record<string, string>> {
  const { organization, environment } = ctx.scope;
  const added: { skill: string; digest: string }[] = [];
  if (learnt) {
    const rows = await ctx.db.query<{ skill: string; digest: string }>(
      `insert into skill_models (organization, version_id, skill, digest, artifact, report, created_at)
       select organization, $3, skill, artifact_digest, artifact, report::jsonb, $5 from training_jobs
       where organization = $1 and environment = $2 and id = $4 and artifact is not null returning skill, digest`,
      [organization, environment, versionId, learnt.job, new Date(ctx.now)],
    );
    added.push(...rows);
  }
  if (learntFrom !== null && definition.model.provider === "builtin") {
    const rows = await ctx.db.query<{ skill: string; digest: string }>(
      `insert into skill_models (organization, version_id, skill, digest, artifact, report, created_at)
       select organization, $2, skill, digest, artifact, report, created_at from skill_models
       where organization = $1 and version_id = $3 and skill = any($4::text[]) on conflict do nothing returning skill, digest`,
      [organization, versionId, learntFrom, await sameForm(ctx, learntFrom, definition)],
    );
    added.push(...rows);
  }
  return Object.fromEntries(added.map(({ skill, digest }) => [skill, digest]));
}

/** Skills whose output schema is the same in an earlier version. */
async function sameForm(ctx: WriteContext, versionId: string, definition: AgentDefinition): Promise<string[]> {
  const rows = await ctx.db.query<{ definition: AgentDefinition }>(
    "select definition from agent_versions where organization = $1 and id = $2",
    [ctx.scope.organization, versionId],
  );
  const form = (output: unknown): string => canonicalJson(output ?? null);
  const before = new Map(rows[0]?.definition.skills.map(({ name, output }) => [name, form(output)]));
  return definition.skills.filter(({ name, output }) => before.get(name) === form(output)).map(({ name }) => name);
}
