import { defineLoader, type Reader } from "../../../kernel/db.ts";
import type { FactsReader } from "../../../kernel/facts.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { agentVersionRows } from "../../agents/shared-rows.ts";
import { pausesOfCalls } from "../../governance/public.ts";
import type { LeaseKey } from "../steps/store.ts";
import { heldBy, runHold } from "./holds.ts";
import { leaseSeconds } from "./rules.ts";

// Leases outside of calls.

const asked = "unnest($1::text[], $2::text[], $3::text[], $4::text[]) as l(organization, environment, id, owner)";
const same = `t.organization = l.organization and t.environment = l.environment and t.id = l.id and t.lease_owner = l.owner and t.status = 'running'`;

const columns = (leases: readonly LeaseKey[]): string[][] => [
  leases.map(({ scope }) => scope.organization),
  leases.map(({ scope }) => scope.environment),
  leases.map(({ task }) => task),
  leases.map(({ owner }) => owner),
];

/** The owners of those leases that are still valid. */
export async function findHeldLeases(db: Statements, leases: readonly LeaseKey[]): Promise<Set<string>> {
  const rows = await db.query<{ owner: string }>(
    `select l.owner from ${asked} join tasks t on ${same}`,
    columns(leases),
  );
  return new Set(rows.map((row) => row.owner));
}

/**
 * Prolongs those of these leases that still hold; returns their owners. A task whose row a call of this very moment holds is passed over, since waiting for
 * it, with others locked already, could be waiting in a circle: it still holds, and the next round prolongs it, of which a lease outlasts two.
 */
export async function renewLeases(db: Statements, leases: readonly LeaseKey[]): Promise<Set<string>> {
  const rows = await db.query<{ owner: string }>(
    `with held as (select t.organization, t.environment, t.id, l.owner from ${asked} join tasks t on ${same}),
       free as (select t.organization, t.environment, t.id from ${asked} join tasks t on ${same} for update of t skip locked),
       renewed as (update tasks t set lease_until = now() + make_interval(secs => $5) from free
         where t.organization = free.organization and t.environment = free.environment and t.id = free.id)
     select owner from held`,
    [...columns(leases), leaseSeconds],
  );
  return new Set(rows.map((row) => row.owner));
}

/** A waiting task with what kill switches and pauses can name of it. */
interface WaitingTask {
  readonly agent: string;
  readonly versionId: string;
  readonly skill: string;
  readonly workflow: string | null;
}

const waitingTask = defineLoader<WaitingTask & { readonly priority: number }>(
  "task that waits",
  `select id as loader_key, agent, version_id as "versionId", skill, run_workflow as workflow, priority from tasks
   where organization = $1 and environment = $2 and id = any($3::text[]) and status = 'queued' and paused_at is null and (deadline is null or deadline > now())
     and (not_before is null or not_before <= now())`,
);

/**
 * A task that waits for a worker, not beyond its deadline nor before its time: the cheap look before a governed start, which concurrent looks share. `priority`:
 * that of the wake-up; a task that was put back since does not wait for this one.
 */
async function findWaiting(
  db: Reader,
  scope: Scope,
  task: string,
  priority?: number,
): Promise<WaitingTask | undefined> {
  const found = await db.load(waitingTask, scope, task);
  return found && (priority === undefined || found.priority >= priority) ? found : undefined;
}

/** W3C `traceparent` of the call that dispatched a task, if it was traced. */
export async function findCause(db: Statements, scope: Scope, task: string): Promise<string | null> {
  const rows = await db.query<{ traceparent: string | null }>(
    "select traceparent from tasks where organization = $1 and environment = $2 and id = $3",
    [scope.organization, scope.environment, task],
  );
  return rows[0]?.traceparent ?? null;
}

/** Whether one of these models runs a waiting task. */
async function isRunByOneOf(
  db: Statements,
  scope: Scope,
  { versionId }: WaitingTask,
  models: readonly string[],
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from ${agentVersionRows} v where v.organization = $1 and v.id = $2 and coalesce(v.definition #>> '{model,name}', v.definition #>> '{model,provider}') = any($3::text[])`,
    [scope.organization, versionId, models],
  );
  return rows.length > 0;
}

/** Whether the skill of a waiting task may call one of these tools. */
async function mayCallOneOf(
  db: Statements,
  scope: Scope,
  { versionId, skill }: WaitingTask,
  tools: readonly string[],
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from ${agentVersionRows} v, jsonb_array_elements(v.definition -> 'skills') s
     where v.organization = $1 and v.id = $2 and s ->> 'name' = $3 and s -> 'tools' ?| $4::text[]`,
    [scope.organization, versionId, skill, tools],
  );
  return rows.length > 0;
}

/** Whether a task waits for a worker and no kill switch or pause holds it, or a tool or model that it needs. */
export async function isReady(
  { db, facts }: { db: Reader; facts: FactsReader },
  scope: Scope,
  task: string,
  priority: number | undefined,
): Promise<boolean> {
  const waiting = await findWaiting(db, scope, task, priority);
  if (!waiting || runHold(heldBy({ facts, scope }, waiting, null)) !== "go") return false;
  const paused = pausesOfCalls({ facts, scope });
  const named = (wanted: string): string[] =>
    paused.flatMap(({ kind, target }) => (kind === wanted && target !== null ? [target] : []));
  const [tools, models] = [named("tool"), named("model")];
  if (tools.length > 0 && (await mayCallOneOf(db, scope, waiting, tools))) return false;
  return models.length === 0 || !(await isRunByOneOf(db, scope, waiting, models));
}
