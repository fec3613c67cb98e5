import { leaseEnd } from "../../../kernel/lease.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { faultPauseSql, faultText, type Interrupted, mostFaults } from "../../../kernel/service-faults.ts";
import { mostAttempts, type Pending } from "./rules.ts";

export interface Claimed extends Scope {
  readonly id: string;
  readonly base: string;
  readonly external_id: string | null;
  readonly title: string;
  readonly text: string | null;
  readonly fields: Record<string, unknown> | null;
  readonly version: number;
  readonly attempt: number;
  readonly pending: Pending;
  readonly language: string;
  readonly settings: { readonly chunk_length?: number };
  readonly served_digest: string | null;
}

export interface Held extends Scope {
  readonly id: string;
  readonly attempt: number;
}

const waiting = "d.state = 'queued' and d.pending is not null";

/** Or the one that waits longest. */
export async function claimDocument(
  db: Statements,
  named: (Scope & { readonly id: string }) | null,
): Promise<Claimed | undefined> {
  const rows = await db.query<Claimed>(
    `update documents d set state = 'parsing', progress = 0, attempt = d.attempt + 1, lease_until = ${leaseEnd}
     from (
       select d.organization, d.environment, d.id from documents d
       where ${waiting} ${named ? "and d.organization = $1 and d.environment = $2 and d.id = $3" : ""}
       order by d.lease_until limit 1 for update skip locked
     ) one, knowledge_bases b
     where d.organization = one.organization and d.environment = one.environment and d.id = one.id
       and b.organization = d.organization and b.environment = d.environment and b.id = d.base
     returning d.organization, d.environment, d.id, d.base, d.external_id, d.title, d.text, d.fields, d.version, d.attempt, d.pending, b.language, b.settings, d.file_digest as served_digest`,
    named ? [named.organization, named.environment, named.id] : [],
  );
  return rows[0];
}

const heldBy =
  "organization = $1 and environment = $2 and id = $3 and attempt = $4 and state in ('parsing', 'indexing')";
const keyOf = ({ organization, environment, id, attempt }: Held): unknown[] => [organization, environment, id, attempt];

/** False: the attempt has lost the document. */
export async function reportProgress(
  db: Statements,
  held: Held,
  { state, progress }: { readonly state: "parsing" | "indexing"; readonly progress: number },
): Promise<boolean> {
  const rows = await db.query(
    `update documents set state = $5, progress = $6, lease_until = ${leaseEnd} where ${heldBy} returning id`,
    [...keyOf(held), state, progress],
  );
  return rows.length > 0;
}

export async function notePending(db: Statements, held: Held, pending: Pending): Promise<boolean> {
  const rows = await db.query(`update documents set pending = $5 where ${heldBy} returning id`, [
    ...keyOf(held),
    JSON.stringify(pending),
  ]);
  return rows.length > 0;
}

/** After an error of the service; the sweep wakes a worker. Does not count as a lost worker. */
export async function giveBack(db: Statements, held: Held, error: unknown): Promise<void> {
  const faults = "coalesce((pending->>'faults')::int, 0)";
  await db.query(
    `update documents set lease_until = now() + ${faultPauseSql(faults)}, pending = pending
       || jsonb_build_object('after', coalesce((pending->>'after')::int, 0) + 1, 'faults', ${faults} + 1, 'fault', $5::text)
     where ${heldBy}`,
    [...keyOf(held), faultText(error)],
  );
}

export function listWaiting(db: Statements, most: number): Promise<(Scope & { id: string })[]> {
  return db.query(
    `select d.organization, d.environment, d.id from documents d where ${waiting} order by d.lease_until limit $1`,
    [most],
  );
}

export type Lapsed = Held & Interrupted & { readonly gives_up: boolean };

/** Without a worker, or waiting for half a minute. Queues all again but those tried often enough. */
export async function requeueLapsed(db: Statements, most: number): Promise<Lapsed[]> {
  return db.query<Lapsed>(
    `with lapsed as (
       select organization, environment, id, state <> 'queued' and (attempt - coalesce((pending->>'after')::int, 0) >= ${mostAttempts}
         or coalesce((pending->>'faults')::int, 0) >= ${mostFaults}) as gives_up
       from documents where state in ('queued', 'parsing', 'indexing') and lease_until <= now() order by lease_until limit $1 for update skip locked
     ), queued as (
       update documents d set state = 'queued', lease_until = now() + interval '20 seconds' from lapsed l
       where not l.gives_up and d.organization = l.organization and d.environment = l.environment and d.id = l.id
     )
     select d.organization, d.environment, d.id, d.attempt, l.gives_up, d.attempt - coalesce((d.pending->>'after')::int, 0) as lost,
       coalesce((d.pending->>'faults')::int, 0) as faults, d.pending->>'fault' as fault from lapsed l join documents d using (organization, environment, id)`,
    [most],
  );
}
