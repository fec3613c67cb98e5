import { type Action, type Advanced, isRunOver, outputReadsOf } from "@aos/workflow";
import { type Decider, unite } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { closeEffects } from "../../tasks/public.ts";
import { insertItems } from "../steps/item-store.ts";
import { unlooked } from "../versions/deciders.ts";
import type { KnownRun } from "./cache.ts";
import { type DecidersBySteps, decidersAfter, decidersRead } from "./deciders.ts";
import { originOfStep, type RunRow, runChanges, stepColumns } from "./rules.ts";
import { writeWaits } from "./wait-store.ts";

/** A run that was advanced and changed. */
export interface Looked {
  readonly before: KnownRun;
  readonly next: Advanced;
  /** By step, who decided its result. */
  readonly ended: DecidersBySteps;
  /** In US dollars, of ended steps. */
  readonly costUsd: number;
  readonly tokens: number;
}

const atOnce = 500;

/** Stores advanced runs in a few statements. Returns the runs as of then. The action of a step is stored as it was resolved. */
export async function writeLooks(ctx: WriteContext, looks: readonly Looked[]): Promise<KnownRun[]> {
  const deciders = new Map(looks.map((look) => [look, decidersAfter(look)]));
  const rows = looks.flatMap((look) =>
    look.next.changed.map((step, at) => ({
      ...stepRow(look, step, at, ctx.now),
      deciders: deciders.get(look)?.get(step) ?? null,
    })),
  );
  for (let from = 0; from < rows.length; from += atOnce) await upsertSteps(ctx, rows.slice(from, from + atOnce));
  for (const look of looks)
    for (const one of look.next.commands)
      if (one.kind === "start" && one.action.kind === "loop")
        await insertItems(ctx, { run: look.before.row.id, step: one.step, attempt: one.attempt }, one.action.items);
  await writeWaits(ctx, looks);
  await closeEffects(ctx, looks.flatMap(undoneIn), "all");
  return updateRuns(ctx, looks, deciders);
}

/** The origins of undone steps: done again, they repeat their effects. */
const undoneIn = ({ before: { row, state: earlier }, next: { state, changed } }: Looked): string[] =>
  changed
    .filter((step) => state.steps.get(step)?.undo === "done" && earlier.steps.get(step)?.undo !== "done")
    .map((step) => originOfStep(row, step));

type StepRow = ReturnType<typeof stepRow> & { readonly deciders: readonly Decider[] | null };

function stepRow(
  { before: { row, version }, next: { state, commands } }: Looked,
  step: string,
  at: number,
  now: number,
) {
  const known = state.steps.get(step) as NonNullable<ReturnType<typeof state.steps.get>>;
  const own = commands.filter((one) => one.step === step);
  const start = own.find((one) => one.kind === "start");
  const undo = own.find((one) => one.kind === "undo");
  return {
    run_id: row.id,
    step,
    kind: version.plan.byId.get(step)?.kind ?? "set",
    // Ordered within a run: by its revision, then by the order within one advance.
    changed_as: row.revision * 100_000 + at,
    action: start ? actionText(start.action) : null,
    undo_action: undo ? JSON.stringify(undo.action) : null,
    taken_back: own.some((one) => one.kind === "cancel"),
    items: start?.action.kind === "loop" ? start.action.items.length : null,
    ...stepColumns(known, now),
  };
}

/** Items of loops have rows of their own. */
const actionText = (action: Action): string =>
  JSON.stringify(action.kind === "loop" ? { kind: "loop", total: action.items.length } : action);

const kept = ["run_id", "step", "kind", "action", "undo_action", "taken_back", "items", "deciders"];
const perAttempt = ["task_id", "child_run", "items", "result"];
const counted = ["items_begun", "items_completed", "items_failed", "items_cost_usd"];

/** A new attempt clears task, run and items of the one before, which is recorded among the attempts; its input stays. */
async function upsertSteps({ scope, db }: WriteContext, rows: readonly StepRow[]): Promise<void> {
  const names = Object.keys(rows[0] as object);
  const given = JSON.stringify(rows);
  const values = [scope.organization, scope.environment, given];
  if (rows.some(({ attempt }) => attempt > 1))
    await db.query(
      `insert into workflow_attempts (organization, environment, run_id, step, attempt, status, task_id, child_run, failure, started_at, finished_at)
       select s.organization, s.environment, s.run_id, s.step, s.attempt, case when s.status = 'pending' then 'failed' else s.status end,
         s.task_id, s.child_run, s.failure, s.started_at, coalesce(s.finished_at, now())
       from json_populate_recordset(null::workflow_steps, $3::json) r join workflow_steps s
         on s.organization = $1 and s.environment = $2 and s.run_id = r.run_id and s.step = r.step and s.attempt < r.attempt and s.attempt > 0
       on conflict do nothing`,
      values,
    );
  const plain = names.filter((name) => !kept.includes(name));
  await db.query(
    `insert into workflow_steps as s (organization, environment, ${names.join(", ")})
     select $1, $2, ${names.map((name) => `r.${name}`).join(", ")} from json_populate_recordset(null::workflow_steps, $3::json) r
     on conflict (organization, environment, run_id, step) do update set ${plain.map((name) => `${name} = excluded.${name}`).join(", ")},
       action = coalesce(excluded.action, s.action), undo_action = coalesce(excluded.undo_action, s.undo_action), refusal = null, held = null,
       deciders = case when excluded.attempt = s.attempt then coalesce(excluded.deciders, s.deciders) else excluded.deciders end,
       taken_back = excluded.taken_back or excluded.attempt = s.attempt and s.taken_back,
       ${perAttempt.map((name) => `${name} = case when excluded.attempt = s.attempt then s.${name} else excluded.${name} end`).join(", ")},
       ${counted.map((name) => `${name} = case when excluded.attempt = s.attempt then s.${name} else 0 end`).join(", ")}`,
    values,
  );
}

/** Columns that an update of a run sets. */
const setOfRuns = ["status", "journal", "wake_at", "updated_at", "revision", "cost_usd", "tokens", "started_at"];
const setAtEnd = ["finished_at", "output", "failure", "output_deciders"];

async function updateRuns(
  ctx: WriteContext,
  looks: readonly Looked[],
  decided: ReadonlyMap<Looked, DecidersBySteps>,
): Promise<KnownRun[]> {
  const { scope, db, now } = ctx;
  const written: KnownRun[] = [];
  for (const look of looks) {
    const { before, next, costUsd, tokens } = look;
    const { row, version } = before;
    const { state, wakeAt } = next;
    const deciders = decided.get(look) ?? new Map();
    const changes = {
      finished_at: null,
      output: null,
      failure: null,
      output_deciders: isRunOver(state.status) ? await decidersOfOutput(ctx, before, deciders) : null,
      ...runChanges(state, wakeAt, now),
      revision: row.revision + 1,
      started_at: row.started_at ?? new Date(now),
      cost_usd: row.cost_usd + costUsd,
      tokens: row.tokens + tokens,
    };
    written.push({ version, state, deciders, row: { ...row, ...changes } as RunRow });
  }
  const given = written.map(({ row }) =>
    Object.fromEntries(["id", ...setOfRuns, ...setAtEnd].map((name) => [name, row[name as keyof RunRow]])),
  );
  await db.query(
    `update workflow_runs r set ${[...setOfRuns, ...setAtEnd].map((name) => `${name} = n.${name}`).join(", ")}
     from json_populate_recordset(null::workflow_runs, $3::json) n where r.organization = $1 and r.environment = $2 and r.id = n.id`,
    [scope.organization, scope.environment, JSON.stringify(given)],
  );
  return written;
}

/** Who decided the result of a child run, its version included: the parent's step has another one. */
async function decidersOfOutput(
  ctx: WriteContext,
  { row, version }: KnownRun,
  deciders: DecidersBySteps,
): Promise<readonly Decider[] | null> {
  if (row.parent_run === null) return null;
  const all = unite(decidersRead(outputReadsOf(version.plan), row, deciders), await unlooked(ctx, version));
  return all.length === 0 ? null : all;
}
