import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";

// The journal of a run: machine-inside, not calls. Every write is bound to the lease, which a share lock on the task holds still meanwhile.

/** A claim on a task. */
export interface LeaseKey {
  readonly scope: Scope;
  readonly task: string;
  readonly owner: string;
}

export type StepState = "started" | "finished" | "failed" | "unknown";

/** A step as the runtime reads it back. */
export interface StoredStep {
  id: string;
  number: number;
  kind: "model" | "tool";
  name: string;
  state: StepState;
  input: unknown;
  output: unknown;
}

const held = `held as (select attempt, started_at from tasks
  where organization = $1 and environment = $2 and id = $3 and lease_owner = $4 and status = 'running' for share)`;

const keyOf = ({ scope, task, owner }: LeaseKey): unknown[] => [scope.organization, scope.environment, task, owner];

/**
 * The steps of the present run, which begins with the task's `started_at` and may span attempts: of each position the latest try.
 * Whoever starts the task anew (a retry) clears `started_at`, and with it this journal.
 */
export async function listRunSteps(db: Statements, lease: LeaseKey): Promise<StoredStep[]> {
  const rows = await db.query<Omit<StoredStep, "input" | "output"> & { input: string; output: string | null }>(
    `select distinct on (s.number) s.id, s.number, s.kind, s.name, s.state, s.input, s.output
     from tasks t join steps s on s.organization = t.organization and s.environment = t.environment and s.task_id = t.id and s.started_at >= t.started_at
     where t.organization = $1 and t.environment = $2 and t.id = $3 and t.lease_owner = $4 and t.status = 'running'
     order by s.number, s.id desc`,
    keyOf(lease),
  );
  return rows.map((row) => ({ ...row, input: JSON.parse(row.input), output: row.output === null ? null : JSON.parse(row.output) }));
}

const interrupted = JSON.stringify({ code: "interrupted", detail: "Its worker was lost while it ran; it was made again." });

/** Writes that a step begins, before it does, and closes an earlier try of it that never ended. False where the lease is lost. */
export async function insertStep(
  db: Statements,
  lease: LeaseKey,
  step: { readonly id: string; readonly number: number; readonly kind: "model" | "tool"; readonly name: string; readonly input: unknown },
): Promise<boolean> {
  const rows = await db.query(
    `with ${held}, closed as (
       update steps s set state = 'failed', failure = $10, finished_at = now() from held
       where s.organization = $1 and s.environment = $2 and s.task_id = $3 and s.number = $6 and s.state = 'started' and s.started_at >= held.started_at)
     insert into steps (organization, environment, id, task_id, attempt, number, kind, name, state, input)
     select $1, $2, $5, $3, held.attempt, $6, $7, $8, 'started', $9 from held returning id`,
    [...keyOf(lease), step.id, step.number, step.kind, step.name, JSON.stringify(step.input), interrupted],
  );
  return rows.length === 1;
}

/** Writes how a step ended. False where the lease is lost, or the step has ended before. */
export async function updateStepEnd(
  db: Statements,
  lease: LeaseKey,
  id: string,
  end: {
    readonly state: Exclude<StepState, "started">;
    readonly output?: unknown;
    readonly failure?: unknown;
    readonly verdict?: string | null;
    readonly costUsd?: number;
  },
): Promise<boolean> {
  const text = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
  const rows = await db.query(
    `with ${held}
     update steps s set state = $6, output = $7, failure = $8, verdict = $9, cost_usd = $10, finished_at = now() from held
     where s.organization = $1 and s.environment = $2 and s.id = $5 and s.task_id = $3 and s.state = 'started' returning s.id`,
    [...keyOf(lease), id, end.state, text(end.output), text(end.failure), end.verdict ?? null, end.costUsd ?? 0],
  );
  return rows.length === 1;
}
