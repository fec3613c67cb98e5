import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { leaseSeconds } from "./run-model.ts";
import type { LeaseKey } from "./step-store.ts";

// Leases as machines see them, outside of calls.

const asked = "unnest($1::text[], $2::text[], $3::text[], $4::text[]) as l(organization, environment, id, owner)";
const same = `t.organization = l.organization and t.environment = l.environment and t.id = l.id and t.lease_owner = l.owner and t.status = 'running'`;

const columns = (leases: readonly LeaseKey[]): string[][] => [
  leases.map(({ scope }) => scope.organization),
  leases.map(({ scope }) => scope.environment),
  leases.map(({ task }) => task),
  leases.map(({ owner }) => owner),
];

/** Which of these leases still hold; answers their owners. */
export async function findHeldLeases(db: Statements, leases: readonly LeaseKey[]): Promise<Set<string>> {
  const rows = await db.query<{ owner: string }>(`select l.owner from ${asked} join tasks t on ${same}`, columns(leases));
  return new Set(rows.map((row) => row.owner));
}

/** Prolongs those of these leases that still hold; answers their owners. Locks in the order of ids, so that processes never wait in a circle. */
export async function renewLeases(db: Statements, leases: readonly LeaseKey[]): Promise<Set<string>> {
  const rows = await db.query<{ owner: string }>(
    `with held as (select t.organization, t.environment, t.id, l.owner from ${asked} join tasks t on ${same} order by t.id for update of t)
     update tasks t set lease_until = now() + make_interval(secs => $5) from held
     where t.organization = held.organization and t.environment = held.environment and t.id = held.id returning held.owner`,
    [...columns(leases), leaseSeconds],
  );
  return new Set(rows.map((row) => row.owner));
}

/** Whether a task waits for a worker, and not beyond its deadline: the cheap look before a governed start. */
export async function isWaiting(db: Statements, scope: Scope, task: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from tasks where organization = $1 and environment = $2 and id = $3 and status = 'queued' and (deadline is null or deadline > now())`,
    [scope.organization, scope.environment, task],
  );
  return rows.length === 1;
}
