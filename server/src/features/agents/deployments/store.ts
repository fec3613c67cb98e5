import {
  all,
  first,
  newestFirst,
  type Row,
  readWritten,
  rowsOf,
  type Statement,
  select,
  update,
} from "../../../db/scoped.ts";
import { actorOfCall, type Decider, decidersOf, storable, storableDeciders, unite } from "../../../kernel/actor.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import { defineLoader, type Reader } from "../../../kernel/db.ts";
import { lowestId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { noteLook } from "../../admin/public.ts";
import { gateVerdictRows } from "../../evaluations/shared-rows.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { contentOfVersion } from "../versions/deciders.ts";
import type { VersionRow } from "../versions/store.ts";
import type { CanaryRule, Deployment, DeploymentState, ShadowBudget } from "./schemas.ts";

/** Who is accountable for a deployment. */
export interface DeploymentAccount {
  /** On whose behalf the service acts for it, such as promoting a canary. */
  readonly actor: string | null;
  readonly deciders: string | null;
}

/**
 * The account of a deployment by the caller. A second person has looked at the version by letting it act here, so that neither its deciders nor those of the
 * deployment count any longer; `before` are those of the canary that goes live.
 */
export async function accountOf(
  ctx: WriteContext,
  version: VersionRow,
  before: readonly Decider[] = [],
): Promise<DeploymentAccount> {
  const content = await contentOfVersion(ctx, version);
  const actor = storable(actorOfCall(ctx));
  if (await noteLook(ctx, content, "deployed")) return { actor, deciders: null };
  return { actor, deciders: storableDeciders(unite(before, decidersOf(ctx, "deployed", content.object))) };
}

/** A shadow has no effect, so starting one confirms nothing. */
export function accountOfShadow(ctx: WriteContext, object: string): DeploymentAccount {
  return { actor: storable(actorOfCall(ctx)), deciders: storableDeciders(decidersOf(ctx, "deployed", object)) };
}

type Stored = Omit<Row<"deployments">, "organization" | "environment" | "labels">;
/** With the present verdict on its version. */
export interface DeploymentRow extends Stored {
  version_id: string;
  verdict: "open" | "failed" | "inconclusive" | null;
  expires_at: Date | null;
  /** Share of the canary that runs beside it, in percent. */
  canary_share: number | null;
}

/** Tasks from the id `since` on were drawn by `share`. */
export interface ShareStage {
  readonly share: number;
  readonly since: string;
}

export const deploymentJson = storedJson<{
  /** Of a canary its rule, of a shadow its budget. */
  rule: CanaryRule & { readonly budget?: Partial<ShadowBudget> };
  stages: ShareStage[];
  gate: NonNullable<Deployment["gate"]>;
  deciders: unknown;
}>();

/** Deployments of the environment. */
export const deploymentsWhere = (ctx: Here) =>
  select(ctx, "deployments", "d")
    .innerJoin(rowsOf(ctx, "agent_versions", "v"), (on) =>
      on.onRef("v.agent", "=", "d.agent").onRef("v.number", "=", "d.version_number"),
    )
    .leftJoin(rowsOf(ctx, gateVerdictRows, "g"), "g.version_id", "v.id")
    .leftJoin(rowsOf(ctx, "deployments", "c"), (on) => on.onRef("c.agent", "=", "d.agent").on("c.state", "=", "canary"))
    .select(["d.id", "d.agent", "d.version_number", "v.id as version_id", "d.state", "d.kind", "d.note", "d.gate"])
    .select(["d.abandoned", "d.author", "d.created_at", "d.ended_at", "d.ended_by", "d.ended_for"])
    .select(["d.actor", "d.deciders", "d.stopped_reason", "d.stopped_at"])
    .select(["d.mode", "d.share", "d.rule", "d.outcome", "d.reason", "d.stable", "d.stages", "d.revision"])
    .select(["g.verdict", "g.expires_at", "c.share as canary_share"]);

export const deploymentsOf = (ctx: Here, agent: string) => deploymentsWhere(ctx).where("d.agent", "=", agent);

/** Writes the row of a deployment and returns the deployment as it then is. No canary runs beside it but itself. */
export async function deploymentWritten(ctx: WriteContext, id: string, write: Statement): Promise<DeploymentRow> {
  const view = deploymentsWhere(ctx).where("d.id", "=", id).compile();
  return (await readWritten<DeploymentRow>(ctx, "deployments", write, view))[0] as DeploymentRow;
}

type Here = CallContext & { readonly db: Reader };
const at = ({ scope }: CallContext): string[] => [scope.organization, scope.environment];

/** Newest first. */
export async function listDeployments(
  ctx: ReadContext,
  agent: string,
  states: readonly DeploymentState[] | undefined,
  page: PageRequest,
): Promise<DeploymentRow[]> {
  const listed = deploymentsOf(ctx, agent).$if(states !== undefined, (query) =>
    query.where("d.state", "in", states ?? []),
  );
  return all<DeploymentRow>(ctx, newestFirst(listed, "d.id", page));
}

/** While the agent's row is locked, no other replaces it. */
export const findLive = (ctx: Here, agent: string) =>
  first<DeploymentRow>(ctx, deploymentsOf(ctx, agent).where("d.state", "=", "live"));

/** The newest deployment of the named version, else the newest replaced one that no rollback abandoned. */
export async function findLastGood(ctx: Here, agent: string, present: number, named: number | undefined) {
  const whole = deploymentsOf(ctx, agent).where("d.mode", "=", "whole").where("d.state", "<>", "live");
  const others = whole.where("d.version_number", "<>", present);
  const good =
    named === undefined
      ? others.where("d.state", "=", "replaced").where("d.abandoned", "=", false)
      : others.where("d.version_number", "=", named);
  return first<DeploymentRow>(ctx, good.orderBy("d.id", "desc").limit(1));
}

/** Whether its latest live deployment ended by a rollback. */
export async function wasAbandoned(ctx: Here, agent: string, version: number): Promise<boolean> {
  const of = select(ctx, "deployments", "d")
    .where("d.agent", "=", agent)
    .where("d.version_number", "=", version)
    .where("d.mode", "=", "whole");
  return (await first(ctx, of.select("d.abandoned").orderBy("d.id", "desc").limit(1)))?.abandoned ?? false;
}

const versionNumbers = defineLoader<{ ids: Record<string, string> }>(
  "version ids by agent",
  `select a as loader_key, coalesce((select json_object_agg(v.number, v.id) from agent_versions v
     where v.organization = $1 and v.agent = a and $2::text is not null), '{}') as ids
   from unnest($3::text[]) a`,
);

export async function findVersionIds(ctx: Here, agent: string): Promise<Readonly<Record<string, string>>> {
  return (await ctx.db.load(versionNumbers, ctx.scope, agent))?.ids ?? {};
}

export interface NewDeployment extends DeploymentAccount {
  readonly id: string;
  readonly agent: string;
  readonly version: number;
  readonly kind: DeploymentRow["kind"];
  readonly note: string;
  /** JSON of the verdict; null if the gate was not asked. */
  readonly gate: string | null;
}

/**
 * Puts a version in the place of the one that is live, if any; the caller has locked the agent's row and ended its canary. A rollback abandons what it leaves, and keeps the labels
 * that hold here; any other deployment takes over those of the agent.
 */
export async function replaceLive(
  ctx: WriteContext,
  live: DeploymentRow | undefined,
  fresh: NewDeployment,
): Promise<DeploymentRow> {
  const now = new Date(ctx.now);
  if (live) {
    const ended = { state: "replaced" as const, ended_at: now, ended_by: ctx.principal.id, ended_for: fresh.id };
    await all(
      ctx,
      update(ctx, "deployments")
        .set({ ...ended, revision: live.revision + 1 })
        .where("id", "=", live.id),
    );
  }
  if (live && fresh.kind === "rollback") {
    const left = update(ctx, "deployments").set({ abandoned: true }).where("agent", "=", live.agent);
    await all(ctx, left.where("version_number", "=", live.version_number));
  }
  return deploymentWritten(ctx, fresh.id, {
    sql: `insert into deployments (organization, environment, id, agent, version_number, state, kind, note, gate, author, created_at, actor, deciders, labels)
     select $1, $2, $3, $4, $5, 'live', $6, $7, $8, $9, $10, $12::jsonb, $13::jsonb, coalesce(
       (select labels from deployments where organization = $1 and environment = $2 and id = $11),
       (select labels from agents where organization = $1 and name = $4)) returning *`,
    parameters: [
      ...at(ctx),
      fresh.id,
      fresh.agent,
      fresh.version,
      fresh.kind,
      fresh.note,
      fresh.gate,
      ctx.principal.id,
      now,
      fresh.kind === "rollback" ? (live?.id ?? null) : null,
      fresh.actor,
      fresh.deciders,
    ],
  });
}

/** Open tasks, and those that ended in the last day. Counting stops at 10,000. */
export interface TaskCounts {
  open: number;
  completed: number;
  failed: number;
}

/** Each count walks one index and stops at its bound. */
export async function countTasks(ctx: Here, agent: string, version: number): Promise<TaskCounts> {
  const count = (states: string, since: string): string =>
    `(select count(*)::int from (select from ${taskRows} tasks where organization = $1 and environment = $2 and agent = $3 and status in (${states})
       and version_number = $4 and id >= ${since} limit 10000) t)`;
  const [row] = await ctx.db.query<TaskCounts>(
    `select ${count("'queued', 'awaiting_approval', 'running', 'input_required'", "''")} as open,
       ${count("'completed'", "$5")} as completed, ${count("'failed'", "$5")} as failed`,
    [...at(ctx), agent, version, lowestId("tsk", ctx.now - 86_400_000)],
  );
  return row as TaskCounts;
}
