import type { WorkflowDefinition } from "@aos/workflow";
import { all, first, insert, type Row, rowsOf, select, update } from "../../db/scoped.ts";
import type { CallContext, ReadContext, WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Environment } from "../../kernel/principal.ts";

/** A version with whether it is live in the environment of the call. */
export interface VersionRow extends Omit<Row<"workflow_versions">, "organization" | "definition" | "pinned"> {
  readonly definition: WorkflowDefinition;
  readonly pinned: Readonly<Record<string, number>>;
  readonly live: boolean;
}

type Looking = CallContext & { readonly db: Reader };

const versions = (ctx: Looking, workflow: string) =>
  select(ctx, "workflow_versions", "v")
    .leftJoin(rowsOf(ctx, "workflow_releases", "r"), (on) =>
      on.onRef("r.workflow", "=", "v.workflow").onRef("r.version_number", "=", "v.number").on("r.ended_at", "is", null),
    )
    .selectAll("v")
    .select((is) => is("r.id", "is not", null).as("live"))
    .where("v.workflow", "=", workflow);

export const findVersion = async (ctx: Looking, workflow: string, number: number): Promise<VersionRow | undefined> =>
  (await first(ctx, versions(ctx, workflow).where("v.number", "=", number))) as VersionRow | undefined;

/** The newest version. While the workflow's row is locked, none is added. */
export const findNewestVersion = async (ctx: Looking, workflow: string): Promise<VersionRow | undefined> =>
  (await first(ctx, versions(ctx, workflow).orderBy("v.number", "desc").limit(1))) as VersionRow | undefined;

/** A page of a workflow's versions, newest first. */
export const listVersions = async (ctx: ReadContext, workflow: string, { after, take }: PageRequest) =>
  (await all(
    ctx,
    versions(ctx, workflow)
      .$if(after !== undefined, (query) => query.where("v.number", "<", Number(after?.keys[0])))
      .orderBy("v.number", "desc")
      .limit(take),
  )) as VersionRow[];

export interface NewVersion {
  readonly workflow: string;
  readonly number: number;
  readonly definition: WorkflowDefinition;
  readonly source: string | null;
  readonly digest: string;
  readonly note: string;
  readonly pinned: Readonly<Record<string, number>>;
  readonly agents: readonly string[];
  /** Who decided what has changed since the version before, as the row has them. */
  readonly deciders: string | null;
}

/** Freezes a version, made by the caller now. Answers its id. */
export async function insertVersion(
  ctx: WriteContext,
  { definition, pinned, agents, ...version }: NewVersion,
): Promise<string> {
  const id = ctx.newId("wfv");
  const json = { definition: JSON.stringify(definition), pinned: JSON.stringify(pinned) };
  const made = { id, author: ctx.principal.id, created_at: new Date(ctx.now), agents: [...agents] };
  await all(ctx, insert(ctx, "workflow_versions", { ...version, ...json, ...made }));
  return id;
}

export type ReleaseRow = Pick<Row<"workflow_releases">, "id" | "version_number" | "kind">;

/** The releases of a workflow in the call's environment, newest first; as many as a rollback looks back. */
export const listReleases = (ctx: Looking, workflow: string): Promise<ReleaseRow[]> =>
  all(
    ctx,
    select(ctx, "workflow_releases", "r")
      .select(["r.id", "r.version_number", "r.kind"])
      .where("r.workflow", "=", workflow)
      .orderBy("r.id", "desc")
      .limit(1000),
  );

/** The version that is live, if any; while the workflow's row is locked, no other takes its place. */
export const findLive = (ctx: Looking, workflow: string): Promise<ReleaseRow | undefined> =>
  first(
    ctx,
    select(ctx, "workflow_releases", "r")
      .select(["r.id", "r.version_number", "r.kind"])
      .where("r.workflow", "=", workflow)
      .where("r.ended_at", "is", null),
  );

/** Ends what is live, if anything is; the caller has locked the workflow's row. */
export async function endRelease(ctx: WriteContext, workflow: string): Promise<void> {
  const ended = update(ctx, "workflow_releases").set({ ended_at: new Date(ctx.now) });
  await all(ctx, ended.where("workflow", "=", workflow).where("ended_at", "is", null));
}

export interface NewRelease {
  readonly workflow: string;
  readonly version: number;
  readonly kind: "publish" | "rollback";
  readonly note: string;
  /** Whoever releases a version that they are no second person for, as the row has them. */
  readonly deciders: string | null;
}

/** Makes a version the one that is live; the caller has locked the workflow's row. Answers the release's id. */
export async function release(
  ctx: WriteContext,
  { workflow, version, kind, note, deciders }: NewRelease,
): Promise<string> {
  await endRelease(ctx, workflow);
  const id = ctx.newId("wrl");
  const row = { id, workflow, version_number: version, kind, note, deciders, author: ctx.principal.id };
  await all(ctx, insert(ctx, "workflow_releases", { ...row, created_at: new Date(ctx.now) }));
  return id;
}

/** The other environments in which a version is live, by name. */
export async function listLiveElsewhere(ctx: Looking, workflow: string): Promise<Environment[]> {
  const rows = await ctx.db.query<{ environment: Environment }>(
    "select distinct environment from workflow_releases where organization = $1 and environment <> $2 and workflow = $3 and ended_at is null order by environment",
    [ctx.scope.organization, ctx.scope.environment, workflow],
  );
  return rows.map(({ environment }) => environment);
}

/** The agents of a workflow's versions, by number. */
export async function versionAgents(ctx: Looking, workflow: string): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await all(
    ctx,
    select(ctx, "workflow_versions", "v").select(["v.number", "v.agents"]).where("v.workflow", "=", workflow),
  );
  return new Map(rows.map(({ number, agents }) => [number, agents]));
}
