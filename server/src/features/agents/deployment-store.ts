import type { CallContext, ReadContext, WriteContext } from "../../kernel/context.ts";
import { defineLoader, type Reader } from "../../kernel/db.ts";
import { lowestId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { DeploymentState } from "./deployments-schemas.ts";

/** A deployment as it is stored, with the verdict that its version has now. */
export interface DeploymentRow {
  id: string;
  agent: string;
  version_number: number;
  version_id: string;
  state: DeploymentState;
  kind: "deploy" | "rollback";
  note: string;
  gate: string | null;
  abandoned: boolean;
  author: string;
  created_at: Date;
  ended_at: Date | null;
  ended_by: string | null;
  ended_for: string | null;
  verdict: "open" | "failed" | "inconclusive" | null;
  expires_at: Date | null;
}

/** Takes organization ($1), environment ($2) and agent ($3). */
const deploymentsHere = `
  select d.id, d.agent, d.version_number, v.id as version_id, d.state, d.kind, d.note, d.gate, d.abandoned, d.author, d.created_at,
    d.ended_at, d.ended_by, d.ended_for, g.verdict, g.expires_at
  from deployments d
  join agent_versions v on v.organization = d.organization and v.agent = d.agent and v.number = d.version_number
  left join gate_verdicts g on g.organization = d.organization and g.environment = d.environment and g.version_id = v.id
  where d.organization = $1 and d.environment = $2 and d.agent = $3`;

type Here = CallContext & { readonly db: Reader };
const at = ({ scope }: CallContext): string[] => [scope.organization, scope.environment];

/** A page of an agent's deployments in the call's environment, newest first. */
export async function listDeployments(
  ctx: ReadContext,
  agent: string,
  states: readonly DeploymentState[] | undefined,
  page: PageRequest,
): Promise<DeploymentRow[]> {
  return ctx.db.query<DeploymentRow>(
    `${deploymentsHere} and ($4::text[] is null or d.state = any($4)) and ($5::text is null or d.id < $5) order by d.id desc limit $6`,
    [...at(ctx), agent, states ?? null, page.after?.id ?? null, page.take],
  );
}

/** The deployment that takes an agent's work; while the agent's row is locked, no other takes its place. */
export async function findLive(ctx: Here, agent: string): Promise<DeploymentRow | undefined> {
  const [row] = await ctx.db.query<DeploymentRow>(`${deploymentsHere} and d.state = 'live'`, [...at(ctx), agent]);
  return row;
}

/** Where a rollback goes: the newest replaced deployment of another version that no rollback left, or of the version that is named. */
export async function findLastGood(
  ctx: Here,
  agent: string,
  present: number,
  named: number | undefined,
): Promise<DeploymentRow | undefined> {
  const [row] = await ctx.db.query<DeploymentRow>(
    `${deploymentsHere} and d.state <> 'live' and d.version_number <> $4
       and case when $5::int is null then d.state = 'replaced' and not d.abandoned else d.version_number = $5 end
     order by d.id desc limit 1`,
    [...at(ctx), agent, present, named ?? null],
  );
  return row;
}

const versionNumbers = defineLoader<{ ids: Record<string, string> }>(
  "version ids by agent",
  `select a as loader_key, coalesce((select json_object_agg(v.number, v.id) from agent_versions v
     where v.organization = $1 and v.agent = a and $2::text is not null), '{}') as ids
   from unnest($3::text[]) a`,
);

/** The ids of all versions of an agent, by their numbers. */
export async function findVersionIds(ctx: Here, agent: string): Promise<Readonly<Record<string, string>>> {
  return (await ctx.db.load(versionNumbers, ctx.scope, agent))?.ids ?? {};
}

export interface NewDeployment {
  readonly id: string;
  readonly agent: string;
  readonly version: number;
  readonly kind: DeploymentRow["kind"];
  readonly note: string;
  /** JSON of the gate's verdict; null where it was not asked. */
  readonly gate: string | null;
}

/**
 * Puts a version in the place of the one that is live, if any; the caller has locked the agent's row. A rollback abandons what it leaves, and keeps the labels
 * that hold here; any other deployment takes over those of the agent.
 */
export async function replaceLive(
  ctx: WriteContext,
  live: DeploymentRow | undefined,
  fresh: NewDeployment,
): Promise<void> {
  const now = new Date(ctx.now);
  if (live) {
    await ctx.db.query(
      `update deployments set state = 'replaced', ended_at = $4, ended_by = $5, ended_for = $6
       where organization = $1 and environment = $2 and id = $3`,
      [...at(ctx), live.id, now, ctx.principal.id, fresh.id],
    );
    if (fresh.kind === "rollback") {
      await ctx.db.query(
        "update deployments set abandoned = true where organization = $1 and environment = $2 and agent = $3 and version_number = $4",
        [...at(ctx), live.agent, live.version_number],
      );
    }
  }
  await ctx.db.query(
    `insert into deployments (organization, environment, id, agent, version_number, state, kind, note, gate, author, created_at, labels)
     select $1, $2, $3, $4, $5, 'live', $6, $7, $8, $9, $10, coalesce(
       (select labels from deployments where organization = $1 and environment = $2 and id = $11),
       (select labels from agents where organization = $1 and name = $4))`,
    [
      ...[...at(ctx), fresh.id, fresh.agent, fresh.version, fresh.kind, fresh.note, fresh.gate, ctx.principal.id, now],
      fresh.kind === "rollback" ? (live?.id ?? null) : null,
    ],
  );
}

/** How a version does: tasks that are open, and those of the last day that completed or failed. Counting ends at 10,000. */
export interface TaskCounts {
  open: number;
  completed: number;
  failed: number;
}

/** Counts the tasks of a version. Each count walks one index and stops at its bound. */
export async function countTasks(ctx: Here, agent: string, version: number): Promise<TaskCounts> {
  const count = (states: string, since: string): string =>
    `(select count(*)::int from (select from tasks where organization = $1 and environment = $2 and agent = $3 and status in (${states})
       and version_number = $4 and id >= ${since} limit 10000) t)`;
  const [row] = await ctx.db.query<TaskCounts>(
    `select ${count("'queued', 'awaiting_approval', 'running', 'input_required'", "''")} as open,
       ${count("'completed'", "$5")} as completed, ${count("'failed'", "$5")} as failed`,
    [...at(ctx), agent, version, lowestId("tsk", ctx.now - 86_400_000)],
  );
  return row as TaskCounts;
}

/** Lets an agent take work again in the call's environment; false where it was not paused. */
export async function endPause(ctx: WriteContext, agent: string): Promise<boolean> {
  const rows = await ctx.db.query(
    "delete from agent_pauses where organization = $1 and environment = $2 and agent = $3 returning agent",
    [...at(ctx), agent],
  );
  return rows.length > 0;
}
