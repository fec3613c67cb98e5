import type { ReadContext } from "../../../kernel/context.ts";
import { usdOfMicros } from "../../../kernel/ledger.ts";
import { ledgerEntryRows } from "../../governance/shared-rows.ts";
import type { TaskCost } from "../schemas.ts";
import type { TaskRow } from "../tasks/store.ts";

type StepCost = TaskCost["by_step"][number];
interface CostRow extends Record<string, unknown> {
  readonly id: string | null;
  readonly attempt: number;
  readonly number: number;
  readonly kind: StepCost["kind"];
  readonly name: string;
  readonly micros: number;
  readonly tokens: number;
}

const mostSteps = 200;

/**
 * What a task cost, by its steps. Money is the ledger's: an entry names the step that it paid for, or, where a tool was charged before its step was stored, only the task. Those without a
 * step are one row with the id null. Tokens are the steps' own, since the built-in model has some and costs nothing.
 */
async function listCosts({ scope, db }: ReadContext, task: string): Promise<CostRow[]> {
  return db.query<CostRow>(
    `with paid as (
       select step_id, sum(spent)::float8 as micros from ${ledgerEntryRows} l
       where l.organization = $1 and l.environment = $2 and l.task_id = $3 group by step_id)
     select s.id, s.attempt, s.number, s.kind, s.name, coalesce(p.micros, 0) as micros, s.tokens::float8 as tokens
     from steps s left join paid p on p.step_id = s.id
     where s.organization = $1 and s.environment = $2 and s.task_id = $3
     union all
     select null, 0, 0, 'tool', '', sum(p.micros), 0 from paid p
     where not exists (select from steps s where s.organization = $1 and s.environment = $2 and s.task_id = $3 and s.id = p.step_id)
     having count(*) > 0
     order by micros desc, attempt, number, id`,
    [scope.organization, scope.environment, task],
  );
}

const sumOf = (rows: readonly CostRow[]) => ({
  cost_usd: usdOfMicros(rows.reduce((sum, { micros }) => sum + micros, 0)),
  tokens: rows.reduce((sum, { tokens }) => sum + tokens, 0),
});

function byName(rows: readonly CostRow[], kind: StepCost["kind"]): TaskCost["by_model"] {
  const groups = Map.groupBy(
    rows.filter((row) => row.kind === kind),
    ({ name }) => name,
  );
  const named = [...groups].map(([name, group]) => ({ name, calls: group.length, ...sumOf(group) }));
  return named.sort((a, b) => b.cost_usd - a.cost_usd || (a.name < b.name ? -1 : 1));
}

const stepCost = ({ id, attempt, number, kind, name, micros, tokens }: CostRow): StepCost => {
  return { step_id: id as string, attempt, number, kind, name, cost_usd: usdOfMicros(micros), tokens };
};

export async function costOfTask(ctx: ReadContext, { id, tokens }: TaskRow): Promise<TaskCost> {
  const rows = await listCosts(ctx, id);
  const steps = rows.filter((row) => row.id !== null);
  const further = steps.slice(mostSteps);
  return {
    task_id: id,
    cost_usd: sumOf(rows).cost_usd,
    tokens,
    by_step: steps.slice(0, mostSteps).map(stepCost),
    further_steps: further.length === 0 ? null : { steps: further.length, ...sumOf(further) },
    outside_steps_usd: sumOf(rows.filter((row) => row.id === null)).cost_usd,
    by_model: byName(steps, "model"),
    by_tool: byName(steps, "tool"),
  };
}
