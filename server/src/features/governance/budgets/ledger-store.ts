import { type LedgerEntry, ledgerTable } from "../../../kernel/ledger.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";

const names = ledgerTable.columns.map(([name]) => name);
const values = ledgerTable.columns.map(([, type], index) => `$${index + 1}::${type}`);

// The task is locked before its step, as everywhere. Neither is bound to a lease: what was spent was spent, whoever has the task by now.
const text = `
  with entry as (
    insert into ledger_entries (${names.join(", ")}) values (${values.join(", ")})
    on conflict (organization, environment, id) do nothing returning organization, environment, task_id, step_id, spent / 1e6 as usd, tokens),
  task as (
    update tasks t set cost_usd = t.cost_usd + e.usd, tokens = t.tokens + e.tokens from entry e
    where t.organization = e.organization and t.environment = e.environment and t.id = e.task_id and e.step_id is not null
    returning e.*)
  update steps s set cost_usd = s.cost_usd + e.usd, tokens = s.tokens + e.tokens from task e
  where s.organization = e.organization and s.environment = e.environment and s.id = e.step_id`;

/**
 * Writes down what work that outlived its call was charged: its entry in the ledger, and with it the cost and the tokens of the step that it names and of that step's
 * task. Once, however often it is written.
 */
export async function writeCharge(
  db: Statements,
  scope: Pick<Scope, "organization" | "environment">,
  entry: LedgerEntry,
): Promise<void> {
  const row: Readonly<Record<string, unknown>> = {
    ...entry,
    organization: scope.organization,
    environment: scope.environment,
  };
  await db.query(
    text,
    names.map((name) => row[name]),
  );
}

const mostCounted = 5_000;

export async function countEntries(db: Statements): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ n: number }>("select count_ledger_entries($1) as n", [mostCounted]);
    if ((row?.n ?? 0) < mostCounted) return;
  }
}

/** Until the transaction ends nothing is counted: a window that it opens begins with what is counted already, and gets what is not. The number is the function's. */
export async function holdCounting(db: Statements): Promise<void> {
  await db.query("select pg_advisory_xact_lock(6516519108)");
}
