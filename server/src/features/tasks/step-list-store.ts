import type { ReadContext } from "../../kernel/context.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import { lowestOfTask } from "./event-store.ts";
import type { Step } from "./schemas.ts";

/** A step as it is stored, for those who look at a task. */
export interface StepRow {
  id: string;
  attempt: number;
  number: number;
  kind: "model" | "tool";
  name: string;
  state: Step["state"];
  input: string;
  output: string | null;
  failure: string | null;
  verdict: string | null;
  edit_approval_id: string | null;
  reused_from: string | null;
  seal: string | null;
  cost_usd: number;
  tokens: number;
  started_at: Date;
  finished_at: Date | null;
}

/** A page of a task's steps, in the order in which they were made. */
export async function listTaskSteps(ctx: ReadContext, task: string, { after, take }: PageRequest): Promise<StepRow[]> {
  const [attempt, number] = after?.keys ?? [0, 0];
  return ctx.db.query<StepRow>(
    `select id, attempt, number, kind, name, state, input, output, failure, verdict, edit_approval_id, reused_from, seal, cost_usd, tokens, started_at, finished_at from steps
     where organization = $1 and environment = $2 and task_id = $3 and id >= $4 and (attempt, number, id) > ($5::int, $6::int, $7::text)
     order by attempt, number, id limit $8`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      task,
      lowestOfTask("stp", task),
      attempt,
      number,
      after?.id ?? "",
      take,
    ],
  );
}
