import type { LogScope } from "./scope.ts";
import type { Queryable } from "./tile-store.ts";

/** Why a witness refuses a log's head: the log is shorter than a head that it cosigned, or is no extension of it. */
export type ConflictKind = "rollback" | "fork";

/** What a witness refused, and why. */
export interface WitnessConflict {
  readonly kind: ConflictKind;
  readonly detail: string;
}

/** A log's newest head, with what one witness last said of the log. */
export interface WitnessedHead {
  readonly origin: string;
  readonly size: number;
  readonly checkpoint: string;
  /** The size of the newest head that the witness cosigned; 0 for none of this origin. */
  readonly cosigned: number;
  /** Whether the newest head is that one. */
  readonly done: boolean;
  readonly conflict: ConflictKind | null;
}

/** Reads a log's head and what a witness (name and key id) said of it; null for a log that has none, or no records. */
export async function readHead(
  db: Queryable,
  { organization, environment }: LogScope,
  witness: string,
): Promise<WitnessedHead | null> {
  const { rows } = await db.query<WitnessedHead & { size: string | number; cosigned: string | number }>({
    name: "audit_witness_head",
    text: `select l.origin, l.tree_size as size, l.checkpoint, case when w.origin = l.origin then coalesce(w.tree_size, 0) else 0 end as cosigned,
        w.checkpoint is not distinct from l.checkpoint as done, w.conflict
      from audit_logs l
      left join audit_witnesses w on w.organization = l.organization and w.environment = l.environment and w.witness = $3
      where l.organization = $1 and l.environment = $2 and l.tree_size > 0 and l.checkpoint <> ''`,
    values: [organization, environment, witness],
  });
  const row = rows[0];
  return row ? { ...row, size: Number(row.size), cosigned: Number(row.cosigned) } : null;
}

/** Keeps a witness's signature lines for a head. A head that is older than the one kept, and of the same log, changes nothing. */
export async function keepCosignatures(
  db: Queryable,
  { organization, environment }: LogScope,
  witness: string,
  { origin, size, checkpoint }: WitnessedHead,
  cosignatures: string,
  at: Date,
): Promise<void> {
  await db.query({
    name: "audit_witness_keep",
    text: `insert into audit_witnesses as w (organization, environment, witness, origin, tree_size, checkpoint, cosignatures, cosigned_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (organization, environment, witness) do update set origin = excluded.origin, tree_size = excluded.tree_size,
        checkpoint = excluded.checkpoint, cosignatures = excluded.cosignatures, cosigned_at = excluded.cosigned_at,
        conflict = null, conflict_detail = null, conflict_at = null
      where w.origin <> excluded.origin or w.tree_size is null or w.tree_size <= excluded.tree_size`,
    values: [organization, environment, witness, origin, size, checkpoint, cosignatures, at],
  });
}

/** Notes that a witness refuses the head; what it cosigned before is kept. */
export async function keepConflict(
  db: Queryable,
  { organization, environment }: LogScope,
  witness: string,
  origin: string,
  { kind, detail }: WitnessConflict,
  at: Date,
): Promise<void> {
  await db.query({
    name: "audit_witness_conflict",
    text: `insert into audit_witnesses as w (organization, environment, witness, origin, conflict, conflict_detail, conflict_at)
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (organization, environment, witness) do update set conflict = excluded.conflict, conflict_detail = excluded.conflict_detail,
        conflict_at = case when w.conflict = excluded.conflict then w.conflict_at else excluded.conflict_at end`,
    values: [organization, environment, witness, origin, kind, detail, at],
  });
}
