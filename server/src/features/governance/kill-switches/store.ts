import {
  all,
  type Changes,
  first,
  insert,
  type Row,
  readWritten,
  type Statement,
  select,
  sql,
  update,
} from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { isId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { type Environment, environments, participantOf, type Role } from "../../../kernel/principal.ts";
import { keyRows, memberRows } from "../../admin/shared-rows.ts";
import { agentRows, agentVersionRows } from "../../agents/shared-rows.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { workflowRows } from "../../workflows/shared-rows.ts";
import { killSwitchEngagedEvent } from "./events.ts";
import { killSwitchFacts } from "./facts.ts";
import { type KillSwitchKind, type ReleaseTo, releaseRequestedFor } from "./rules.ts";

export interface KillSwitchRow
  extends Omit<Row<"kill_switches">, "organization" | "environment" | "release_requested_email"> {
  environment: Environment;
  agent: string | null;
  tasks_ended: number;
  last_ended_at: Date | null;
}

const columns = `s.id, s.environment, s.kind, s.target, s.mode, s.critical, s.reason, s.engaged_by, s.engaged_at, s.release_requested_by, s.release_requested_at,
  s.release_requested_to, s.release_requested_key, s.release_requested_accountable, s.release_requested_personal, s.release_reason, s.released_by, s.released_at,
  case s.kind when 'agent' then s.target when 'skill' then split_part(s.target, '.', 1)
    when 'version' then (select v.agent from ${agentVersionRows} v where v.organization = s.organization and v.id = s.target) end as agent`;

const withEnded = `kill_switches s cross join lateral (
    select count(*)::int as tasks_ended, max(t.finished_at) filter (where t.status = 'cancelled') as last_ended_at from ${taskRows} t
    where t.organization = s.organization and t.kill_switch_id = s.id
      and t.environment = any(case s.kind when 'all' then '{${environments.join(",")}}'::text[] else array[s.environment] end)) e`;

/** Takes organization ($1), environment ($2) and id ($3). */
const killSwitchHere = `select ${columns}, e.tasks_ended, e.last_ended_at from ${withEnded}
  where s.organization = $1 and (s.environment = $2 or s.kind = 'all') and s.id = $3`;

/** A kill switch that acts in the call's environment; those of the kind `all` do, wherever they were engaged. */
export async function findKillSwitch(ctx: ReadContext | WriteContext, id: string): Promise<KillSwitchRow | undefined> {
  if (!isId(id, "ksw")) return undefined;
  return (await ctx.db.query<KillSwitchRow>(killSwitchHere, [ctx.scope.organization, ctx.scope.environment, id]))[0];
}

/** Writes a row of the call's environment and returns the kill switch as it then is. */
async function written(ctx: WriteContext, id: string, write: Statement): Promise<KillSwitchRow> {
  const view = { sql: killSwitchHere, parameters: [ctx.scope.organization, ctx.scope.environment, id] };
  return (await readWritten<KillSwitchRow>(ctx, "kill_switches", write, view))[0] as KillSwitchRow;
}

/** Locks a kill switch of the call's environment until the transaction ends, and reads it. */
export async function lockKillSwitch(ctx: WriteContext, id: string): Promise<KillSwitchRow | undefined> {
  await first(ctx, select(ctx, "kill_switches", "s").select("s.id").where("s.id", "=", id).forUpdate());
  return findKillSwitch(ctx, id);
}

export type KillSwitchState = "engaged" | "release_requested" | "released";

const stateOf = (now: string): string => `case when s.released_at is not null then 'released'
  when s.release_requested_at > to_timestamp(${now} / 1000.0) - interval '${releaseRequestedFor} milliseconds' then 'release_requested' else 'engaged' end`;

/** A page of kill switches, newest first. A key that is narrowed to agents does not see those of other agents. */
export async function listKillSwitches(
  ctx: ReadContext,
  filter: { readonly state?: readonly KillSwitchState[]; readonly kind?: readonly KillSwitchKind[] },
  page: PageRequest,
): Promise<KillSwitchRow[]> {
  return ctx.db.query<KillSwitchRow>(
    `select * from (
       select ${columns}, e.tasks_ended, e.last_ended_at, ${stateOf("$3::float8")} as state from ${withEnded}
       where s.organization = $1 and (s.environment = $2 or s.kind = 'all')) s
     where ($4::text[] is null or s.state = any($4)) and ($5::text[] is null or s.kind = any($5))
       and ($6::text[] is null or s.agent is null or s.agent = any($6)) and ($7::text is null or s.id < $7)
     order by s.id desc limit $8`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      ctx.now,
      filter.state ?? null,
      filter.kind ?? null,
      ctx.principal.agents,
      page.after?.id ?? null,
      page.take,
    ],
  );
}

export type NewKillSwitch = Readonly<
  Pick<Row<"kill_switches">, "id" | "kind" | "target" | "mode" | "critical" | "reason">
>;

/** Inserts a kill switch, unless one of the same kind, target and mode is in force that is no easier to release: then returns the id of that. */
export async function insertKillSwitch(
  ctx: WriteContext,
  stop: NewKillSwitch,
  by = ctx.principal.id,
): Promise<{ readonly twin: string } | { readonly row: KillSwitchRow }> {
  const { organization, environment } = ctx.scope;
  const { kind, target, mode, critical } = stop;
  const place = kind === "all" ? "" : environment;
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    ["stop", organization, place, kind, target, mode].join("\n"),
  ]);
  const [twin] = await ctx.db.query<{ id: string }>(
    `select id from kill_switches where organization = $1 and (environment = $2 or kind = 'all') and kind = $3 and target is not distinct from $4 and mode = $5
       and released_at is null and (critical or not $6) order by id limit 1`,
    [organization, environment, kind, target, mode, critical],
  );
  if (twin) return { twin: twin.id };
  const row = { ...stop, engaged_by: by, engaged_at: sql<Date>`clock_timestamp()` };
  const added = insert(ctx, "kill_switches", row as never).returningAll();
  return { row: await written(ctx, stop.id, added.compile()) };
}

const change = (ctx: WriteContext, id: string, changes: Changes<"kill_switches">): Promise<KillSwitchRow> =>
  written(ctx, id, update(ctx, "kill_switches").where("id", "=", id).set(changes).returningAll().compile());

export function askRelease(ctx: WriteContext, id: string, to: ReleaseTo, reason: string): Promise<KillSwitchRow> {
  const person = select(ctx, memberRows, "m").where("m.id", "=", ctx.principal.id);
  return change(ctx, id, {
    release_requested_by: ctx.principal.id,
    release_requested_at: new Date(ctx.now),
    release_requested_to: to,
    release_reason: reason,
    release_requested_key: ctx.principal.keyId,
    release_requested_accountable: [...participantOf(ctx.principal).accountable],
    release_requested_personal: ctx.principal.personal,
    release_requested_email: person.select(sql<string>`lower(m.email)`.as("email")),
  });
}

/** Loosens it to a pause: it stays in force, and a request to release it is void. */
export function loosenKillSwitch(ctx: WriteContext, id: string): Promise<KillSwitchRow> {
  const noRequest = {
    release_requested_by: null,
    release_requested_at: null,
    release_requested_to: null,
    release_requested_key: null,
    release_requested_accountable: [],
    release_requested_personal: false,
    release_requested_email: null,
    release_reason: null,
  };
  return change(ctx, id, { mode: "pause", ...noRequest });
}

export function endKillSwitch(ctx: WriteContext, id: string, reason: string): Promise<KillSwitchRow> {
  const released_at = sql<Date>`clock_timestamp()`;
  return change(ctx, id, { released_at, released_by: ctx.principal.id, release_reason: reason });
}

export async function agentOfVersion(ctx: ReadContext | WriteContext, versionId: string): Promise<string | undefined> {
  return (await first(ctx, select(ctx, agentVersionRows, "v").select("v.agent").where("v.id", "=", versionId)))?.agent;
}

export async function skillsOf(ctx: ReadContext | WriteContext, agent: string): Promise<string[]> {
  const rows = await ctx.db.query<{ name: string }>(
    `select distinct s ->> 'name' as name from ${agentVersionRows} v, jsonb_array_elements(v.definition -> 'skills') s
     where v.organization = $1 and v.agent = $2 order by 1`,
    [ctx.scope.organization, agent],
  );
  return rows.map(({ name }) => name);
}

const usedNames = {
  tool: "select t ->> 'name' as name from definitions, jsonb_array_elements(definition -> 'tools') t",
  model: "select coalesce(definition #>> '{model,name}', definition #>> '{model,provider}') as name from definitions",
} as const;

/** The names of the tools or models in any version or draft of the organization's agents, or of its workflows. */
export async function namesInUse(ctx: WriteContext, kind: "tool" | "model" | "workflow"): Promise<string[]> {
  if (kind === "workflow") {
    const workflows = await all(ctx, select(ctx, workflowRows, "w").select("w.name").orderBy("w.name"));
    return workflows.map(({ name }) => name);
  }
  const rows = await ctx.db.query<{ name: string }>(
    `with definitions as (
       select definition from ${agentVersionRows} agent_versions where organization = $1 union all select draft from ${agentRows} agents where organization = $1)
     select distinct name from (${usedNames[kind]}) used where name is not null order by 1`,
    [ctx.scope.organization],
  );
  return rows.map(({ name }) => name);
}

/** The roles of a person by environment, by default of the principal; undefined unless a person and a member. Locked until the transaction ends. */
export async function rolesOfPerson(
  ctx: WriteContext,
  id = ctx.principal.id,
): Promise<Partial<Record<Environment, Role>> | undefined> {
  const person = select(ctx, memberRows, "m")
    .select("m.roles")
    .where("m.id", "=", id)
    .where("m.kind", "=", "person")
    .where("m.removed_at", "is", null)
    .forShare();
  return (await first(ctx, person))?.roles as Partial<Record<Environment, Role>> | undefined;
}

/** Whether the first person still has the e-mail address of their request. Locked until the transaction ends. */
export async function askedUnderAddress(ctx: WriteContext, id: string): Promise<boolean> {
  const rows = await ctx.db.query(
    `select m.id from kill_switches s join ${memberRows} m on m.organization = s.organization and m.id = s.release_requested_by
     where s.organization = $1 and s.environment = $2 and s.id = $3 and s.release_requested_email is not distinct from lower(m.email) for share of m`,
    [ctx.scope.organization, ctx.scope.environment, id],
  );
  return rows.length > 0;
}

/** Whether a key of the call's environment is neither revoked nor expired. Locked until the transaction ends. */
export async function keyWorks(ctx: WriteContext, id: string): Promise<boolean> {
  const now = new Date(ctx.now);
  const key = select(ctx, keyRows, "k")
    .select("k.id")
    .where("k.id", "=", id)
    .where((is) => is.or([is("k.revoked_at", "is", null), is("k.revoked_at", ">", now)]))
    .where((is) => is.or([is("k.expires_at", "is", null), is("k.expires_at", ">", now)]))
    .forShare();
  return (await first(ctx, key)) !== undefined;
}

/** What another slice stops: by name, in the environment of the call. */
export interface InsideStop {
  readonly kind: "agent" | "workflow" | "tool";
  readonly target: string;
  readonly reason: string;
  readonly by: string;
}

/**
 * Stops something as whoever engages a kill switch of mode `stop` that one person may release. Returns its id, or that of one in force which stops the same.
 * The operation declares that it emits `killSwitchEngagedEvent`.
 */
export async function engageInside(ctx: WriteContext, { kind, target, reason, by }: InsideStop): Promise<string> {
  const stop = { id: ctx.newId("ksw"), kind, target, mode: "stop", reason, critical: false } as const;
  const known = await insertKillSwitch(ctx, stop, by);
  if ("twin" in known) return known.twin;
  ctx.touch(killSwitchFacts);
  const { id: kill_switch_id, ...told } = stop;
  ctx.emit(killSwitchEngagedEvent, { kill_switch_id, ...told, by });
  return kill_switch_id;
}
