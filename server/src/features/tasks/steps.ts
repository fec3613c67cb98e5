import { all, type Row, select, sql } from "../../db/scoped.ts";
import type { ReadContext } from "../../kernel/context.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { resultNotIntact } from "../../kernel/problems.ts";
import type { Seals } from "../../kernel/seals.ts";
import { lowestOfTask } from "./event-store.ts";
import type { Failure } from "./schemas.ts";

// Steps as people read them, and the seals of what they answered.

const use = "step output";

/** The seal of what a step answered; null where it answered nothing. `output` as it is stored. */
export function stepSeal(seals: Seals, scope: Scope, task: string, id: string, output: unknown): string | null {
  return output === undefined ? null : storedStepSeal(seals, scope, task, { id, output: JSON.stringify(output) });
}

/** The same of an answer as it is stored. */
export function storedStepSeal(
  seals: Seals,
  scope: Scope,
  task: string,
  { id, output }: { id: string; output: string },
): string {
  return seals.seal(use, scope, [task, id, output]);
}

/** Whether what stands as the answer of a step is what the service wrote. */
export function isStepIntact(
  seals: Seals,
  scope: Scope,
  task: string,
  { id, output, seal }: { readonly id: string; readonly output: string | null; readonly seal: string | null },
): boolean {
  return output === null || seals.holds(seal, use, scope, [task, id, output]);
}

/** Said of a step whose answer is not what the service wrote. */
export const stepNotIntact: Failure = {
  code: resultNotIntact.code,
  detail: "What it answered was changed in the database, and is not what was recorded.",
};

/** A step as it is stored, for those who look at a task. `input`, `output` and `failure` are JSON. */
export type StepRow = Omit<
  Row<"steps">,
  "organization" | "environment" | "task_id" | "action" | "asked" | "effect" | "read"
>;

/** A page of a task's steps, in the order in which they were made. */
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

/** A call of a tool as its step has it. `input`, `output` and `failure` are JSON. */
export type CallRow = Pick<StepRow, "id" | "number" | "name" | "state" | "input" | "output" | "failure" | "seal">;

/** The calls of tools of a task's present run, in their order: of each position the latest try. */
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
