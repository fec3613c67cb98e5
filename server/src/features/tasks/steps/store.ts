import { all, update } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { chargedUsd } from "../../../kernel/ledger.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import type { Seals } from "../../../kernel/seals.ts";
import { type Patience, retryTransient } from "../../../kernel/transient.ts";
import type { EraseWork } from "../../../resources/tables.ts";
import type { ReadVersion } from "../../knowledge/public.ts";
import type { Failure, Step } from "../schemas.ts";
import { isStepIntact, stepJson } from "./seal.ts";

// The journal of a run. Every write requires the lease and locks the task's row.

export interface LeaseKey {
  readonly scope: Scope;
  readonly task: string;
  readonly owner: string;
}

export type StepState = Step["state"];

/** A step as the runtime reads it. */
export interface StoredStep {
  id: string;
  number: number;
  kind: "model" | "tool";
  name: string;
  state: StepState;
  input: unknown;
  output: unknown;
  failure: Failure | null;
  /** The approval of edited arguments, if there are any. */
  edit_approval_id: string | null;
  /** Its output is what the service wrote. */
  intact: boolean;
}

const held = `held as (select attempt, started_at from tasks
  where organization = $1 and environment = $2 and id = $3 and lease_owner = $4 and status = 'running' for update)`;

const keyOf = ({ scope, task, owner }: LeaseKey): unknown[] => [scope.organization, scope.environment, task, owner];
const textOf = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/**
 * The steps of the present run, which begins with the task's `started_at` and may span attempts: of each position the latest try. Whoever starts the
 * task again clears `started_at`, and with it this journal; who takes it up again at a step sets `retry_step`.
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
  return rows.map(({ seal, ...row }) => ({
    ...row,
    input: stepJson(row, "input"),
    output: stepJson(row, "output"),
    failure: stepJson(row, "failure"),
    intact: isStepIntact(seals, lease.scope, lease.task, { ...row, seal }),
  }));
}

/** Whether a step is in the journal in this state, under the lease. */
async function isJournalled(db: Statements, lease: LeaseKey, id: string, state: StepState): Promise<boolean> {
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

/** A step that begins, or has ended already. */
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
  /** The document versions of its output. */
  readonly read?: readonly ReadVersion[];
  readonly failure?: Failure;
  readonly verdict?: string | null;
  /** The approval of the arguments that replace `input`, if approvers edited them. */
  readonly editedAs?: string | null;
  /** In US dollars, charged to the task at once, whatever the outcome. */
  readonly costUsd?: number;
  /** Of a write: identifies the call as made and, if it was edited, as requested (`effect-store.ts`). */
  readonly action?: { readonly made: string; readonly asked: string | null } | null;
  /** Of a write: the row of its effect. */
  readonly effect?: string | null;
  /** The step of an earlier attempt whose result it takes, if any. */
  readonly reusedFrom?: string | null;
}

/**
 * Writes a step down before it is made, or, where it is made in this very transaction, as it ended; closes an earlier try of it that never ended. False
 * where the lease is lost, or the task is paused and the step would do something. The task's row changes with it, whatever the step costs: an end of the task that was under way in a group and did not see the step, and so
 * would not close it, finds another row than the one it looked at, and is carried out again.
 */
export async function insertStep(db: Statements, lease: LeaseKey, step: NewStep): Promise<boolean> {
  const state = step.state ?? "started";
  const rows = await db.query(
    `with held as (
       update tasks set cost_usd = cost_usd + $14::float8
       where organization = $1 and environment = $2 and id = $3 and lease_owner = $4 and status = 'running'
         and (paused_at is null or $15 in ('failed', 'unknown')) returning attempt, started_at),
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

/** The keyed digests of a call that has begun and not ended, and how its effect is joined to it. Undefined: there is no such step. */
export async function openAction(ctx: WriteContext, task: string, step: string) {
  const query = update(ctx, "steps").set({ state: "started" }).where("id", "=", step).where("task_id", "=", task);
  const open = query.where("state", "=", "started").where("action", "is not", null);
  const [row] = await all(ctx, open.returning(["action", "asked"]));
  if (!row?.action) return undefined;
  return {
    made: row.action,
    asked: row.asked,
    has: (effect: string) =>
      all(ctx, update(ctx, "steps").set({ effect }).where("id", "=", step).where("task_id", "=", task)),
  };
}

/** `tokens`: of a turn of the built-in model. Others are charged before. */
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

// Journal writes that outlast a passing fault of the database. One without a response is looked up before it is repeated, so that it counts once.

interface Written {
  readonly id: string;
  readonly state: StepState;
}

function journalled(
  db: Statements,
  lease: LeaseKey,
  { id, state }: Written,
  write: () => Promise<boolean>,
  patience?: Patience,
): Promise<boolean> {
  let tried = false;
  return retryTransient(async () => {
    if (tried && (await isJournalled(db, lease, id, state))) return true;
    tried = true;
    return write();
  }, patience);
}

/** Stores a new step. False if the lease is lost. */
export function addStep(db: Statements, lease: LeaseKey, step: NewStep, patience?: Patience): Promise<boolean> {
  return journalled(
    db,
    lease,
    { id: step.id, state: step.state ?? "started" },
    () => insertStep(db, lease, step),
    patience,
  );
}

/** Stores a step's end. False if the lease is lost, or the step has ended otherwise. */
export function endStepOf(
  db: Statements,
  lease: LeaseKey,
  id: string,
  end: StepEnding,
  patience?: Patience,
): Promise<boolean> {
  return journalled(db, lease, { id, state: end.state }, () => updateStepEnd(db, lease, id, end), patience);
}

export const eraseSteps: EraseWork = async (ctx, { tasks }) => {
  const erased = { input: "{}", output: null, failure: null, asked: null, action: null, seal: null, verdict: null };
  await all(ctx, update(ctx, "steps").set(erased).where("task_id", "in", tasks));
};
