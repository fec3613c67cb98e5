import { all, type Row, select, sql } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { resultNotIntact } from "../../../kernel/problems.ts";
import type { Seals } from "../../../kernel/seals.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { lowestOfTask } from "../events/store.ts";
import type { Failure } from "../schemas.ts";

const use = "step output";

/** The seal of a step's output, as stored; null without an output. */
export function stepSeal(seals: Seals, scope: Scope, task: string, id: string, output: unknown): string | null {
  return output === undefined ? null : storedStepSeal(seals, scope, task, { id, output: JSON.stringify(output) });
}

export function storedStepSeal(
  seals: Seals,
  scope: Scope,
  task: string,
  { id, output }: { id: string; output: string },
): string {
  return seals.seal(use, scope, [task, id, output]);
}

/** Whether a step's output is what the service wrote. */
export function isStepIntact(
  seals: Seals,
  scope: Scope,
  task: string,
  { id, output, seal }: { readonly id: string; readonly output: string | null; readonly seal: string | null },
): boolean {
  return output === null || seals.holds(seal, use, scope, [task, id, output]);
}

/** The failure of a step whose output was altered. */
export const stepNotIntact: Failure = {
  code: resultNotIntact.code,
  detail: "What it answered was changed in the database, and is not what was recorded.",
};

export type StepRow = Omit<
  Row<"steps">,
  "organization" | "environment" | "task_id" | "action" | "asked" | "effect" | "read"
>;

export const stepJson = storedJson<{ input: unknown; output: unknown; failure: Failure }>();

/** A page of a task's steps, in their order. */
export function listTaskSteps(ctx: ReadContext, task: string, { after, take }: PageRequest): Promise<StepRow[]> {
  const [attempt, number] = after?.keys ?? [0, 0];
  const steps = select(ctx, "steps", "s")
    .select(["id", "attempt", "number", "kind", "name", "state", "input", "output", "failure", "verdict"])
    .select(["edit_approval_id", "reused_from", "seal", "cost_usd", "tokens", "started_at", "finished_at"])
    .where("task_id", "=", task)
    .where("id", ">=", lowestOfTask("stp", task))
    .where(sql<boolean>`(attempt, number, id) > (${attempt}::int, ${number}::int, ${after?.id ?? ""}::text)`);
  return all(ctx, steps.orderBy("attempt").orderBy("number").orderBy("id").limit(take));
}

/** `input`, `output` and `failure` are JSON. */
export type CallRow = Pick<StepRow, "id" | "number" | "name" | "state" | "input" | "output" | "failure" | "seal">;

/** The tool calls of a task's present run, in order: the latest attempt of each position. */
export function listCalls(db: Statements, { organization, environment }: Scope, task: string): Promise<CallRow[]> {
  return db.query<CallRow>(
    `select * from (
       select distinct on (s.number) s.number, s.kind, s.id, s.name, s.state, s.input, s.output, s.failure, s.seal
       from tasks t join steps s on s.organization = t.organization and s.environment = t.environment and s.task_id = t.id and s.started_at >= t.started_at
       where t.organization = $1 and t.environment = $2 and t.id = $3 and (t.retry_step is null or s.number < t.retry_step or s.started_at >= t.retried_at)
       order by s.number, s.id desc) latest
     where kind = 'tool' order by number`,
    [organization, environment, task],
  );
}

// Effects by their origins, for the workflows whose steps the origins are.

/** SQL: whether an origin, or something within it, has a write with an unknown outcome. Its row `scoped` has organization and environment. */
export const isInDoubt = (origin: string, scoped: string): string => `exists (select from effects e
  where e.organization = ${scoped}.organization and e.environment = ${scoped}.environment and e.origin >= ${origin} and e.origin < ${origin} || '!'
    and (e.origin = ${origin} or starts_with(e.origin, ${origin} || ' ')) and e.outcome = 'unknown' and not e.closed)`;

/** SQL: the effect `e` is of the origin `o`, or of something within it: its name, or that and a space. The range matches the index. */
const within = `e.organization = $1 and e.environment = $2 and e.origin >= o.origin and e.origin < o.origin || '!'
  and (e.origin = o.origin or starts_with(e.origin, o.origin || ' '))`;

/**
 * From now on these answer no call: their origins were undone, or people asked for other ones in their place (`done`: of what is in doubt there can be no other).
 * `origins` include what lies within.
 */
export async function closeEffects(
  { scope, db }: WriteContext,
  origins: readonly string[],
  which: "all" | "done",
): Promise<void> {
  if (origins.length === 0) return;
  await db.query(
    `update effects e set closed = true, updated_at = now() from unnest($3::text[]) o (origin) where ${within} and not e.closed${which === "done" ? " and e.outcome = 'done'" : ""}`,
    [scope.organization, scope.environment, origins],
  );
}

/** Of these origins, those with a write of unknown outcome (`unknown`), or with a completed one. */
export async function originsWith(
  { scope, db }: { readonly scope: Scope; readonly db: Statements },
  origins: readonly string[],
  outcome: "unknown" | "done",
): Promise<string[]> {
  if (origins.length === 0) return [];
  const rows = await db.query<{ origin: string }>(
    `select o.origin from unnest($3::text[]) o (origin)
     where exists (select from effects e where ${within} and e.outcome = $4 and not e.closed)`,
    [scope.organization, scope.environment, origins, outcome],
  );
  return rows.map(({ origin }) => origin);
}
