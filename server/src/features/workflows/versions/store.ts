import { planOf, type WorkflowDefinition } from "@aos/workflow";
import { all, first, insert, type Row, rowsOf, select, update } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Environment } from "../../../kernel/principal.ts";
import type { DependentSource } from "../../agents/public.ts";

export interface VersionRow extends Omit<Row<"workflow_versions">, "organization" | "definition" | "pinned"> {
  readonly definition: WorkflowDefinition;
  readonly pinned: Readonly<Record<string, number>>;
  readonly live: boolean;
}

const versions = (ctx: QueryContext, workflow: string) =>
  select(ctx, "workflow_versions", "v")
    .leftJoin(rowsOf(ctx, "workflow_releases", "r"), (on) =>
      on.onRef("r.workflow", "=", "v.workflow").onRef("r.version_number", "=", "v.number").on("r.ended_at", "is", null),
    )
    .selectAll("v")
    .select((is) => is("r.id", "is not", null).as("live"))
    .where("v.workflow", "=", workflow);

export const findVersion = async (
  ctx: QueryContext,
  workflow: string,
  number: number,
): Promise<VersionRow | undefined> =>
  (await first(ctx, versions(ctx, workflow).where("v.number", "=", number))) as VersionRow | undefined;

/** No version is added while the workflow's row is locked. */
export const findNewestVersion = async (ctx: QueryContext, workflow: string): Promise<VersionRow | undefined> =>
  (await first(ctx, versions(ctx, workflow).orderBy("v.number", "desc").limit(1))) as VersionRow | undefined;

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
  /** Who decided what changed since the version before, as stored. */
  readonly deciders: string | null;
}

export async function insertVersion(
  ctx: WriteContext,
  { definition, pinned, agents, ...version }: NewVersion,
): Promise<VersionRow> {
  const id = ctx.newId("wfv");
  const json = { definition: JSON.stringify(definition), pinned: JSON.stringify(pinned) };
  const made = { id, author: ctx.principal.id, created_at: new Date(ctx.now), agents: [...agents] };
  const added = insert(ctx, "workflow_versions", { ...version, ...json, ...made }).returningAll();
  return { ...((await first(ctx, added)) as unknown as Omit<VersionRow, "live">), live: false };
}

export type ReleaseRow = Pick<Row<"workflow_releases">, "id" | "version_number" | "kind">;

/** The releases in the call's environment, newest first; as many as a rollback looks back. */
export const listReleases = (ctx: QueryContext, workflow: string): Promise<ReleaseRow[]> =>
  all(
    ctx,
    select(ctx, "workflow_releases", "r")
      .select(["r.id", "r.version_number", "r.kind"])
      .where("r.workflow", "=", workflow)
      .orderBy("r.id", "desc")
      .limit(1000),
  );

/** The live version; none takes its place while the workflow's row is locked. */
export const findLive = (ctx: QueryContext, workflow: string): Promise<ReleaseRow | undefined> =>
  first(
    ctx,
    select(ctx, "workflow_releases", "r")
      .select(["r.id", "r.version_number", "r.kind"])
      .where("r.workflow", "=", workflow)
      .where("r.ended_at", "is", null),
  );

/** Ends the live release, if any; the caller has locked the workflow's row. */
export async function endRelease(ctx: WriteContext, workflow: string): Promise<void> {
  const ended = update(ctx, "workflow_releases").set({ ended_at: new Date(ctx.now) });
  await all(ctx, ended.where("workflow", "=", workflow).where("ended_at", "is", null));
}

interface NewRelease {
  readonly workflow: string;
  readonly version: number;
  readonly kind: "publish" | "rollback";
  readonly note: string;
  /** Deciders without a second person, as stored. */
  readonly deciders: string | null;
}

/** Makes a version live and returns the release's id; the caller has locked the workflow's row. */
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

export async function listLiveElsewhere(ctx: QueryContext, workflow: string): Promise<Environment[]> {
  const rows = await ctx.db.query<{ environment: Environment }>(
    "select distinct environment from workflow_releases where organization = $1 and environment <> $2 and workflow = $3 and ended_at is null order by environment",
    [ctx.scope.organization, ctx.scope.environment, workflow],
  );
  return rows.map(({ environment }) => environment);
}

export async function versionAgents(
  ctx: QueryContext,
  workflow: string,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await all(
    ctx,
    select(ctx, "workflow_versions", "v").select(["v.number", "v.agents"]).where("v.workflow", "=", workflow),
  );
  return new Map(rows.map(({ number, agents }) => [number, agents]));
}

/** A version of a workflow that another one starts. */
interface CalledVersion {
  readonly workflow: string;
  readonly number: number;
  /** Those of its sub-workflows too. */
  readonly agents: readonly string[];
  /** In the call's environment. */
  readonly live: boolean;
}

/** The versions that a definition's steps start: those that they name, or those that are live here. */
export async function calledVersions(
  ctx: QueryContext,
  definition: WorkflowDefinition,
): Promise<readonly CalledVersion[]> {
  const calls = planOf(definition).steps.flatMap(({ step }) => (step.workflow ? [step.workflow] : []));
  if (calls.length === 0) return [];
  const query = select(ctx, "workflow_versions", "v")
    .leftJoin(rowsOf(ctx, "workflow_releases", "r"), (on) =>
      on.onRef("r.workflow", "=", "v.workflow").onRef("r.version_number", "=", "v.number").on("r.ended_at", "is", null),
    )
    .select(["v.workflow", "v.number", "v.agents"])
    .select((is) => is("r.id", "is not", null).as("live"))
    .where("v.workflow", "in", [...new Set(calls.map(({ name }) => name))])
    .where((is) =>
      is.or([
        is("r.id", "is not", null),
        ...calls.flatMap(({ name, version }) =>
          version === undefined ? [] : [is.and([is("v.workflow", "=", name), is("v.number", "=", version)])],
        ),
      ]),
    );
  const found = await all(ctx, query);
  return found
    .map((row) => ({ ...row, live: row.live as boolean }))
    .filter(({ workflow, number, live }) =>
      calls.some(({ name, version }) => name === workflow && (version === undefined ? live : version === number)),
    );
}

/** The versions that publishing pins: of sub-workflows that are started without a number. */
export function pinnedBy(definition: WorkflowDefinition, called: readonly CalledVersion[]): Record<string, number> {
  const open = planOf(definition).steps.flatMap(({ step: { workflow } }) =>
    workflow && workflow.version === undefined ? [workflow.name] : [],
  );
  const live = called.filter(({ workflow, live: isLive }) => isLive && open.includes(workflow));
  return Object.fromEntries(live.map(({ workflow, number }) => [workflow, number]));
}

/** Workflows that name an agent in their live version or draft, without those that missions made for themselves. */
export const dependentWorkflows: DependentSource = {
  kind: "workflow",
  permission: "workflows:read",
  async find({ scope, db }, agent, within, take) {
    const rows = await db.query<{ name: string; live: boolean }>(
      `select w.name, coalesce($3 = any(v.agents), false) as live
       from workflows w
       left join workflow_releases r on r.organization = w.organization and r.environment = $2 and r.workflow = w.name and r.ended_at is null
       left join workflow_versions v on v.organization = r.organization and v.workflow = r.workflow and v.number = r.version_number
       where w.organization = $1 and w.archived_at is null and not w.hidden and ($3 = any(w.agents) or $3 = any(v.agents))
         and ($4::text[] is null or w.agents || coalesce(v.agents, '{}') <@ $4) order by live desc, w.name limit $5`,
      [scope.organization, scope.environment, agent, within, take],
    );
    return rows.map(({ name, live }) => ({
      id: name,
      name,
      state: live ? "live" : "draft",
      active: live,
      path: `/v1/workflows/${name}`,
    }));
  },
};
