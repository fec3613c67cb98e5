import { chargedUsd } from "../../kernel/ledger.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { Seals } from "../../kernel/seals.ts";
import type { ReadVersion } from "../knowledge/public.ts";
import { isStepIntact } from "../tasks/public.ts";
import type { Failure, Step } from "../tasks/schemas.ts";

// The journal of a run. Every write is bound to the lease: the row of the task is held still meanwhile.

/** A claim on a task. */
export interface LeaseKey {
  readonly scope: Scope;
  readonly task: string;
  readonly owner: string;
}

export type StepState = Step["state"];

/** A step as the runtime reads it back. */
export interface StoredStep {
  id: string;
  number: number;
  kind: "model" | "tool";
  name: string;
  state: StepState;
  input: unknown;
  output: unknown;
  failure: Failure | null;
  /** The approval of the arguments that people had put in place of these; null: they had not. */
  edit_approval_id: string | null;
  /** What it answered is what the service wrote. */
  intact: boolean;
}

const held = `held as (select attempt, started_at from tasks
  where organization = $1 and environment = $2 and id = $3 and lease_owner = $4 and status = 'running' for update)`;

const keyOf = ({ scope, task, owner }: LeaseKey): unknown[] => [scope.organization, scope.environment, task, owner];
const textOf = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/**
 * The steps of the present run, which begins with the task's `started_at` and may span attempts: of each position the latest try. Whoever starts the
 * task anew clears `started_at`, and with it this journal; who takes it up again at a step sets `retry_step`.
 */
export async function listRunSteps(db: Statements, lease: LeaseKey, seals: Seals): Promise<StoredStep[]> {
  type Row = Omit<StoredStep, "input" | "output" | "failure" | "intact"> &
    Record<"input" | "output" | "failure" | "seal", string | null>;
  const rows = await db.query<Row>(
    `select distinct on (s.number) s.id, s.number, s.kind, s.name, s.state, s.input, s.output, s.failure, s.edit_approval_id, s.seal
     from tasks t join steps s on s.organization = t.organization and s.environment = t.environment and s.task_id = t.id and s.started_at >= t.started_at
     where t.organization = $1 and t.environment = $2 and t.id = $3 and t.lease_owner = $4 and t.status = 'running'
       and (t.retry_step is null or s.number < t.retry_step or s.started_at >= t.retried_at)
     order by s.number, s.id desc`,
    keyOf(lease),
  );
  const json = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
  return rows.map(({ seal, ...row }) => ({
    ...row,
    input: json(row.input),
    output: json(row.output),
    failure: json(row.failure) as Failure | null,
    intact: isStepIntact(seals, lease.scope, lease.task, { ...row, seal }),
  }));
}

/** Whether a step stands in the journal in this state, while the lease holds. */
export async function isJournalled(db: Statements, lease: LeaseKey, id: string, state: StepState): Promise<boolean> {
  const rows = await db.query(
    `select from tasks t join steps s on s.organization = t.organization and s.environment = t.environment and s.task_id = t.id
     where t.organization = $1 and t.environment = $2 and t.id = $3 and t.lease_owner = $4 and t.status = 'running' and s.id = $5 and s.state = $6`,
    [...keyOf(lease), id, state],
  );
  return rows.length === 1;
}

const interrupted = JSON.stringify({
  code: "interrupted",
  detail: "Its worker was lost while it ran; it was made again.",
});

/** A step that begins, or that is over when it is written down. */
export interface NewStep {
  readonly id: string;
  readonly number: number;
  readonly kind: "model" | "tool";
  readonly name: string;
  readonly input: unknown;
  /** Default: it begins. */
  readonly state?: StepState;
  readonly output?: unknown;
  /** Of its output (`stepSeal`). */
  readonly seal?: string | null;
  /** What its output says it from. */
  readonly read?: readonly ReadVersion[];
  readonly failure?: Failure;
  readonly verdict?: string | null;
  /** The approval with whose arguments it is made, in place of `input`. Default: it is made as it is. */
  readonly editedAs?: string | null;
  /** What its call is charged, in US dollars, whatever comes of it; counted on the task at once. */
  readonly costUsd?: number;
  /** Of a write: names the call as it is made and, where people changed it, as it was asked for (`effect-store.ts`). */
  readonly action?: { readonly made: string; readonly asked: string | null } | null;
  /** Of a write: the row of its effect (`effect-store.ts`). */
  readonly effect?: string | null;
  /** The step of an earlier attempt whose result it takes. Default: it is made. */
  readonly reusedFrom?: string | null;
}

/**
 * Writes a step down before it is made, or, where it is made in this very transaction, as it ended; closes an earlier try of it that never ended. False
 * where the lease is lost. The task's row changes with it, whatever the step costs: an end of the task that was under way in a group and did not see the step, and so
 * would not close it, finds another row than the one it looked at, and is carried out anew.
 */
export async function insertStep(db: Statements, lease: LeaseKey, step: NewStep): Promise<boolean> {
  const state = step.state ?? "started";
  const rows = await db.query(
    `with held as (
       update tasks set cost_usd = cost_usd + $14::float8
       where organization = $1 and environment = $2 and id = $3 and lease_owner = $4 and status = 'running' returning attempt, started_at),
     closed as (
       update steps s set state = 'failed', failure = $10, finished_at = now() from held
       where s.organization = $1 and s.environment = $2 and s.task_id = $3 and s.number = $6 and s.state = 'started' and s.started_at >= held.started_at)
     insert into steps (organization, environment, id, task_id, attempt, number, kind, name, state, input, output, failure, verdict, cost_usd, edit_approval_id, action, asked,
       reused_from, seal, read, effect, finished_at)
     select $1, $2, $5, $3, held.attempt, $6, $7, $8, $15, $9, $11, $12, $13, $14, $16, $17, $18, $19, $20, $21::jsonb, $22, case when $15 <> 'started' then now() end from held returning id`,
    [
      ...keyOf(lease),
      step.id,
      step.number,
      step.kind,
      step.name,
      JSON.stringify(step.input),
      interrupted,
      textOf(step.output),
      textOf(step.failure),
      step.verdict ?? null,
      chargedUsd(step.costUsd ?? 0),
      state,
      step.editedAs ?? null,
      step.action?.made ?? null,
      step.action?.asked ?? null,
      step.reusedFrom ?? null,
      step.seal ?? null,
      textOf(step.read),
      step.effect ?? null,
    ],
  );
  return rows.length === 1;
}

/** How a step ended. `tokens`: of a turn of the built-in model. What others cost is charged before. */
export interface StepEnding {
  readonly state: Exclude<StepState, "started">;
  readonly output?: unknown;
  /** Of its output (`stepSeal`). */
  readonly seal?: string | null;
  readonly failure?: Failure;
  readonly tokens?: number;
}

/**
 * Writes how a step ended, and counts its tokens on its task. The effect of a write moves with it, as `afterAttempt` says: what was unknown before is not refused now.
 * False where the lease is lost, or the step has ended before. */
export async function updateStepEnd(db: Statements, lease: LeaseKey, id: string, end: StepEnding): Promise<boolean> {
  const rows = await db.query(
    `with ${held}, ended as (
       update steps s set state = $6, output = $7, failure = $8, tokens = s.tokens + $9::bigint, seal = $10, finished_at = now() from held
       where s.organization = $1 and s.environment = $2 and s.id = $5 and s.task_id = $3 and s.state = 'started' returning s.id, s.effect),
     moved as (
       update effects e set updated_at = now(),
         outcome = case when $6 = 'finished' then 'done' when $6 = 'unknown' then 'unknown' when e.before in ('unknown', 'done') then e.before else 'refused' end
       from ended where e.organization = $1 and e.environment = $2 and e.key = ended.effect),
     charged as (
       update tasks set tokens = tokens + $9::bigint
       where organization = $1 and environment = $2 and id = $3 and $9::bigint > 0 and exists (select from ended))
     select id from ended`,
    [...keyOf(lease), id, end.state, textOf(end.output), textOf(end.failure), end.tokens ?? 0, end.seal ?? null],
  );
  return rows.length === 1;
}
