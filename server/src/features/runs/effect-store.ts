import { hash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import type { CallContext, ReadContext, WriteContext } from "../../kernel/context.ts";
import { type Effect, type EffectOutcome, effectOfRow } from "../../kernel/effect.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { RunnableTool } from "../agents/schemas.ts";
import { isStepIntact, lowestOfTask, type TaskRow } from "../tasks/public.ts";
import type { Failure } from "../tasks/schemas.ts";
import type { StoredEffect } from "./effects.ts";

// Writes of tasks and of steps of workflows, one row each: before its first attempt to after its last.

type Arguments = Readonly<Record<string, unknown>>;

/** Whose effect a write of the task is: the task's own, or that of the workflow's step that it carries out, the same for each attempt of the step. */
export const originOf = ({ id, run_key }: Pick<TaskRow, "id" | "run_key">): string => run_key ?? id;

/** Names exactly this call of a tool by this origin. Keyed: short arguments could be guessed from a plain digest. */
export function actionKey(
  { seals, scope }: Pick<CallContext, "seals" | "scope">,
  origin: string,
  tool: string,
  given: Arguments,
): string {
  return seals.seal("tool call", scope, [origin, tool, canonicalJson(given)]);
}

/** Names what a call of this tool sends, where, with what of which connection, and whether with a key. */
export function targetOf(tool: RunnableTool): string {
  const { request, openapi, idempotency, connection } = tool as Partial<Record<string, unknown>>;
  return hash("sha256", canonicalJson([request, openapi, idempotency, connection].map((part) => part ?? null)), "hex");
}

/** The effects of the task's origin, oldest first, of which none was undone. `number`: the step up to which the journal of the present run has come. */
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

/** A write of an attempt before of which nobody knows what became of it, as people are asked about it. */
export interface Doubt {
  readonly key: string;
  readonly action: string;
  readonly target: string | null;
  readonly tool: string;
  /** With placeholders, as its run had it. */
  readonly input: unknown;
  readonly failure: Failure | null;
}

/** Those that other tasks of the origin left. */
export async function doubtsBefore(db: Statements, scope: Scope, task: TaskRow): Promise<Doubt[]> {
  const rows = await db.query<Omit<Doubt, "input" | "failure"> & { input: string; failure: string | null }>(
    `select e.key, e.action, e.tool, e.target, s.input, s.failure
     from effects e join steps s on s.organization = e.organization and s.environment = e.environment and s.id = e.step_id
     where e.organization = $1 and e.environment = $2 and e.origin = $3 and e.outcome = 'unknown' and not e.closed and e.task_id <> $4
     order by e.created_at, e.key`,
    [scope.organization, scope.environment, originOf(task), task.id],
  );
  return rows.map(({ input, failure, ...row }) => ({
    ...row,
    input: JSON.parse(input) as unknown,
    failure: failure === null ? null : (JSON.parse(failure) as Failure),
  }));
}

/** A call whose attempt begins. */
export interface Beginning {
  readonly task: TaskRow;
  readonly step: string;
  readonly number: number;
  readonly tool: string;
  /** As it is made. */
  readonly arguments: Arguments;
  readonly action: { readonly made: string; readonly asked: string | null };
  readonly target: string;
  /** The effect that it is; null: a new one. */
  readonly effect: StoredEffect | null;
}

/** An effect whose attempt begins, with the name of its row. */
export interface Begun {
  readonly row: string;
  readonly effect: Effect;
}

/** Writes down that an attempt of a write begins: from now on its outcome is not known. In the transaction that writes its step down. */
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

/** So begin names of rows that stand for writes of a release which stored no keys: their key is computed as it was then. */
const noKey = "step ";

function formerKey({ task, number, arguments: given }: Beginning): string {
  const run = task.run_key?.endsWith(" !undo")
    ? task.run_key.replace(" !undo", " undo")
    : `${task.id} ${task.started_at?.getTime()}`;
  return hash("sha256", `${run} ${number} ${canonicalJson(given)}`, "hex").slice(0, 32);
}
