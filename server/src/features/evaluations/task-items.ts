import type { WriteContext } from "../../kernel/context.ts";
import { type Fault, refuse } from "../../kernel/errors.ts";
import { insufficientScope } from "../../kernel/problems.ts";
import { intact, type SealedTask, sealedColumns } from "../tasks/public.ts";
import type { GivenItem } from "./dataset-model.ts";
import type { DatasetRow } from "./dataset-store.ts";

interface Row extends SealedTask {
  subject: string;
  /** JSON: the correction of the latest feedback; null: there is none, or it corrects nothing. */
  correction: string | null;
  /** What the latest feedback comes to, 1 where it accepts the output; null: there is none, or it speaks of a run before the last retry. */
  outcome: number | null;
}

/**
 * Items made of completed tasks of the call's environment, and a fault for each that cannot be one. Who adds them must be allowed to read them. Throws
 * `result_not_intact` where one ended with something else than the service wrote.
 */
export async function itemsOfTasks(
  ctx: WriteContext,
  dataset: DatasetRow,
  ids: readonly string[],
  labels: readonly string[],
): Promise<{ items: GivenItem[]; faults: Fault[] }> {
  if (ctx.principal.scopes !== null && !ctx.principal.scopes.includes("tasks:read")) {
    throw refuse(insufficientScope, "Making items of tasks reads them: the key needs the scope tasks:read as well.", {
      stage: "permissions",
      members: { missing_scope: "tasks:read" },
    });
  }
  const rows = new Map((await readTasks(ctx, ids)).map((row) => [row.id, intact(ctx, row)]));
  const items: GivenItem[] = [];
  const faults: Fault[] = [];
  ids.forEach((id, at) => {
    const row = rows.get(id);
    const wrong = row ? misfit(row, dataset) : "names no task of this environment";
    if (wrong !== undefined) faults.push({ pointer: `/from_tasks/${at}`, code: "not_an_item", detail: wrong });
    else items.push(itemOf(row as Row, ctx.scope.environment, labels));
  });
  return { items, faults };
}

/** A correction says what is right of the input, whichever run it was given after; acceptance and rating speak only of the output they were given for. */
async function readTasks(ctx: WriteContext, ids: readonly string[]): Promise<Row[]> {
  return ctx.db.query<Row>(
    `select ${sealedColumns("t")}, t.subject, f.correction, f.outcome from tasks t
     left join lateral (
       select f.correction, case when t.retried_at is null or f.created_at >= t.retried_at then f.outcome end as outcome from task_feedback f
       where f.organization = t.organization and f.environment = t.environment and f.task_id = t.id
       order by f.id desc limit 1) f on true
     where t.organization = $1 and t.environment = $2 and t.id = any($3::text[])`,
    [ctx.scope.organization, ctx.scope.environment, ids],
  );
}

/** Why a task cannot be an item of a set; undefined: it can. */
function misfit(row: Row, { agent, skill }: DatasetRow): string | undefined {
  if (row.agent !== agent || row.skill !== skill)
    return `is a task of ${row.agent}.${row.skill}; the set's items are inputs of ${agent}.${skill}`;
  if (row.status !== "completed") return `is ${row.status}; only a completed task says what came out`;
  if (row.correction === null && row.outcome !== null && row.outcome < 1)
    return "the latest feedback rejects it, or rates it as less than right, and does not say what is right; accept or correct it first";
  return undefined;
}

function itemOf(
  { id, input, output, correction, subject }: Row,
  environment: string,
  labels: readonly string[],
): GivenItem {
  return {
    name: id,
    input: JSON.parse(input),
    expected: JSON.parse(correction ?? output ?? "{}"),
    must_pass: false,
    cluster: null,
    labels,
    source: { environment, task: id, subject },
  };
}
