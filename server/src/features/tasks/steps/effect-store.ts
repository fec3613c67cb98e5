import { hash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import { type Effect, type EffectOutcome, effectOfRow } from "../../../kernel/effect.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import type { ApprovalDemand } from "../../../kernel/verdict.ts";
import type { RunnableTool } from "../../agents/schemas.ts";
import { argumentsOfCalls, consumedDemand } from "../../approvals/requests/public.ts";
import { lowestOfTask } from "../events/store.ts";
import type { Failure } from "../schemas.ts";
import type { TaskRow } from "../tasks/store.ts";
import { isStepIntact, stepJson } from "./seal.ts";

// Writes of tasks and of workflow steps, one row each, from before their first attempt.

type Arguments = Readonly<Record<string, unknown>>;

/** The origin of a task's writes: the task itself, or the workflow step that it carries out, the same for each attempt. */
export const originOf = ({ id, run_key }: Pick<TaskRow, "id" | "run_key">): string => run_key ?? id;

/** Identifies exactly this tool call by this origin. Keyed: short arguments could be guessed from a plain digest. */
export function actionKey(
  { seals, scope }: Pick<CallContext, "seals" | "scope">,
  origin: string,
  tool: string,
  given: Arguments,
): string {
  return seals.seal("tool call", scope, [origin, tool, canonicalJson(given)]);
}

/** Identifies what a tool's calls send, where, with which connection, and whether with a key. */
export function targetOf(tool: RunnableTool): string {
  const { request, openapi, idempotency, connection } = tool as Partial<Record<string, unknown>>;
  return hash("sha256", canonicalJson([request, openapi, idempotency, connection].map((part) => part ?? null)), "hex");
}

/** The effects of the task's origin that were not undone, oldest first. `number`: how far the journal of the present run goes. */
export async function effectsOf(
  ctx: ReadContext | WriteContext,
  task: TaskRow,
  number: number,
): Promise<StoredEffect[]> {
  const rows = await ctx.db.query<Omit<StoredEffect, "intact"> & { readonly seal: string | null }>(
    `with journal as (
       select distinct on (s.number) s.effect
       from tasks t join steps s on s.organization = t.organization and s.environment = t.environment and s.task_id = t.id and s.started_at >= t.started_at
       where t.organization = $1 and t.environment = $2 and t.id = $3 and s.id >= $6 and s.number < $5
         and (t.retry_step is null or s.number < t.retry_step or s.started_at >= t.retried_at)
       order by s.number, s.id desc)
     select e.key, e.action, e.asked, e.tool, e.target, e.outcome, e.task_id, e.step_id, s.output, s.edit_approval_id, s.seal,
       exists (select from journal j where j.effect = e.key) as taken,
       s.output is null or e.task_id <> $3 and exists (select from task_redactions r
         where r.organization = e.organization and r.environment = e.environment and r.task_id = e.task_id) as hidden
     from effects e left join steps s on s.organization = e.organization and s.environment = e.environment and s.id = e.step_id
     where e.organization = $1 and e.environment = $2 and e.origin = $4 and not e.closed order by e.created_at, e.key`,
    [ctx.scope.organization, ctx.scope.environment, task.id, originOf(task), number, lowestOfTask("stp", task.id)],
  );
  return rows.map((row) => ({
    ...row,
    intact: isStepIntact(ctx.seals, ctx.scope, row.task_id, { ...row, id: row.step_id }),
  }));
}

/** A write of an earlier attempt with an unknown outcome, as people are asked about it. */
export interface Doubt {
  readonly key: string;
  readonly action: string;
  readonly target: string | null;
  readonly tool: string;
  /** With placeholders. */
  readonly input: unknown;
  readonly failure: Failure | null;
}

/** Doubts of the origin's other tasks. */
export async function doubtsBefore(db: Statements, scope: Scope, task: TaskRow): Promise<Doubt[]> {
  const rows = await db.query<Omit<Doubt, "input" | "failure"> & { input: string; failure: string | null }>(
    `select e.key, e.action, e.tool, e.target, s.input, s.failure
     from effects e join steps s on s.organization = e.organization and s.environment = e.environment and s.id = e.step_id
     where e.organization = $1 and e.environment = $2 and e.origin = $3 and e.outcome = 'unknown' and not e.closed and e.task_id <> $4
     order by e.created_at, e.key`,
    [scope.organization, scope.environment, originOf(task), task.id],
  );
  return rows.map((row) => ({ ...row, input: stepJson(row, "input"), failure: stepJson(row, "failure") }));
}

export interface Beginning {
  readonly task: TaskRow;
  readonly step: string;
  readonly number: number;
  readonly tool: string;
  readonly arguments: Arguments;
  readonly action: { readonly made: string; readonly asked: string | null };
  readonly target: string;
  /** Null: a new one. */
  readonly effect: StoredEffect | null;
}

/** A begun effect with the name of its row. */
export interface Begun {
  readonly row: string;
  readonly effect: Effect;
}

/** Records that an attempt of a write begins: its outcome is unknown from now on. In the transaction that stores its step. */
export function beginEffect(ctx: WriteContext, begun: Beginning): Promise<Begun> {
  return begun.effect === null ? newEffect(ctx, begun) : anotherAttempt(ctx, begun, begun.effect.key);
}

async function anotherAttempt(ctx: WriteContext, begun: Beginning, row: string): Promise<Begun> {
  const { organization, environment } = ctx.scope;
  const [was] = await ctx.db.query<{ before: EffectOutcome }>(
    `update effects set before = outcome, outcome = 'unknown', task_id = $4, step_id = $5, target = $6, updated_at = now()
     where organization = $1 and environment = $2 and key = $3 returning before`,
    [organization, environment, row, begun.task.id, begun.step, begun.target],
  );
  const before = (was as { before: EffectOutcome }).before;
  return { row, effect: effectOfRow({ key: row.startsWith(noKey) ? formerKey(begun) : row, before }) };
}

async function newEffect(ctx: WriteContext, begun: Beginning): Promise<Begun> {
  const { scope, db, seals } = ctx;
  const { organization, environment } = scope;
  const origin = originOf(begun.task);
  const { made, asked } = begun.action;
  const [earlier] = await db.query<{ n: string }>(
    "select count(*)::text as n from effects where organization = $1 and environment = $2 and origin = $3 and action = $4",
    [organization, environment, origin, made],
  );
  const row = seals.seal("effect", scope, [origin, made, earlier?.n ?? "0"]).slice(0, 32);
  await db.query(
    `insert into effects (organization, environment, key, origin, action, asked, tool, target, outcome, before, task_id, step_id)
     values ($1, $2, $3, $4, $5, $6, $7, $10, 'unknown', 'none', $8, $9)`,
    [organization, environment, row, origin, made, asked, begun.tool, begun.task.id, begun.step, begun.target],
  );
  return { row, effect: effectOfRow({ key: row, before: "none" }) };
}

/** Prefix of rows for writes of a release that stored no keys: their key is computed as it was then. */
const noKey = "step ";

function formerKey({ task, number, arguments: given }: Beginning): string {
  const run = task.run_key?.endsWith(" !undo")
    ? task.run_key.replace(" !undo", " undo")
    : `${task.id} ${task.started_at?.getTime()}`;
  return hash("sha256", `${run} ${number} ${canonicalJson(given)}`, "hex").slice(0, 32);
}

/** A write that was not undone, with its latest step. */
export interface StoredEffect {
  readonly key: string;
  /** Identifies the call as made. */
  readonly action: string;
  /** Identifies the call as requested, if approvers edited it. */
  readonly asked: string | null;
  readonly tool: string;
  /** Identifies what was sent and where, with or without a key; null: an earlier release did not store it. */
  readonly target: string | null;
  readonly outcome: EffectOutcome;
  readonly task_id: string;
  readonly step_id: string;
  /** The present attempt has reached it. */
  readonly taken: boolean;
  /** JSON. */
  readonly output: string | null;
  readonly edit_approval_id: string | null;
  /** Its output was not altered in the database. */
  readonly intact: boolean;
  /** Its output holds another task's placeholders, or was erased. */
  readonly hidden: boolean;
}

/**
 * `reuse`: it is done. `make`: it is sent, with the key of this effect or, where there is none, of a new one. `doubt`: people have to say first what became of
 * this one.
 */
export type EffectDecision =
  | { readonly kind: "reuse"; readonly effect: StoredEffect }
  | { readonly kind: "make"; readonly effect: StoredEffect | null }
  | { readonly kind: "doubt"; readonly effect: StoredEffect };

/**
 * What a call comes to. Each effect stands for one call, so that an attempt that makes the same write twice on purpose still does. Beside a write of which
 * nobody knows what became of it no other begins: it might be the same in other words.
 */
export function decideEffect(
  effects: readonly StoredEffect[],
  { action, target, repeatable }: { readonly action: string; readonly target: string; readonly repeatable: boolean },
): EffectDecision {
  const open = effects.filter(({ taken, outcome }) => !taken || outcome === "unknown");
  const made = open.find((effect) => effect.action === action);
  const same = made ?? open.find((effect) => effect.asked === action && effect.outcome !== "refused");
  if (same?.outcome === "done") return { kind: "reuse", effect: same };
  // An edited call is another call; so is one to another target, or without a key.
  const isVery = made !== undefined && (made.target === null || made.target === target);
  if (same?.outcome === "unknown" && !(repeatable && isVery)) return { kind: "doubt", effect: same };
  const other = same ? undefined : open.find(({ outcome }) => outcome === "unknown");
  if (other) return { kind: "doubt", effect: other };
  return { kind: "make", effect: made ?? null };
}

/** The arguments that approvers put in place of the requested ones of a finished write, if they did. */
export async function editsOf(ctx: WriteContext, { edit_approval_id }: StoredEffect): Promise<Arguments | null> {
  return edit_approval_id === null
    ? null
    : ((await argumentsOfCalls(ctx.db, ctx.scope, [edit_approval_id])).get(edit_approval_id) ?? null);
}

/** Finished by an earlier attempt and not reached by the present one. */
const finishedBefore = (task: TaskRow, effects: readonly StoredEffect[]): StoredEffect | undefined =>
  effects.find(({ outcome, taken, task_id }) => outcome === "done" && !taken && task_id === task.id);

/**
 * The approval of the task as a whole is of one execution. A write that takes the place of one that an earlier attempt finished is another one: it is asked for
 * as the task was. Null: nobody approved the task, or nothing was written that this attempt leaves out.
 */
export async function demandOfAnother(
  ctx: WriteContext,
  task: TaskRow,
  effects: readonly StoredEffect[],
): Promise<ApprovalDemand | null> {
  const instead = finishedBefore(task, effects);
  const approval = task.call_approval ? task.run_approval_id : task.approval_id;
  if (!instead || approval === null) return null;
  const given = await consumedDemand(ctx, approval);
  const why = `${instead.tool} finished in an earlier attempt, under the approval of the task; this call takes its place.`;
  return given && { ...given, reasons: [why] };
}
