import type { QueryContext } from "../../../kernel/db.ts";
import {
  type ApprovalSource,
  readApprovals,
  readDeclaredLabels,
  readDeliveries,
  readModels,
  readSteps,
  readTasks,
  readTasksOf,
  readViolations,
  type StepSource,
  type TaskSource,
} from "./fact-sources.ts";
import { type Cell, ValueNumbers } from "./fact-values.ts";
import {
  approvalFacts,
  columnsOfFact,
  deliveryFacts,
  type Fact,
  hasEnded,
  taskFacts,
  violationFacts,
} from "./facts.ts";
import { columnsFor, type Kind, type LabelColumns } from "./families.ts";

export type Sources = Readonly<Record<Kind, readonly string[]>>;
export type Made = Readonly<Record<Kind, ReadonlyMap<string, readonly Cell[]>>> & {
  readonly labels: number;
};

/** Models of versions that are kept in memory at most. */
const mostModels = 10_000;

/** Makes the facts of sources from their rows as they are now. Keeps what does not change: numbers of values, models of versions. */
export class FactMaker {
  readonly #values = new ValueNumbers();
  #models = new Map<string, string>();

  /** To be called where the transaction of a `make` failed. */
  forget(): void {
    this.#values.forget();
  }

  /** An approval counts in its task and a task's judgement in its approvals, so that each brings the others with it. */
  async make(ctx: QueryContext, sources: Sources, now: number): Promise<Made> {
    const columns = await columnsFor(ctx.db, ctx.scope, await readDeclaredLabels(ctx));
    const tasksOf = sources.approval.length === 0 ? [] : await readTasksOf(ctx, sources.approval);
    const tasks = await this.#tasks(ctx, [...new Set([...sources.task, ...tasksOf])], columns, now);
    const violations = sources.violation.length === 0 ? [] : await readViolations(ctx, sources.violation);
    const deliveries = sources.delivery.length === 0 ? [] : await readDeliveries(ctx, sources.delivery);
    const facts: Record<Kind, [string, Fact[]][]> = {
      ...tasks,
      violation: violations.map((row) => [`${row.id}/${row.source}`, violationFacts(row)]),
      delivery: deliveries.map((row) => [`${row.id}/${row.webhook_id}`, deliveryFacts(row)]),
    };
    return {
      labels: columns.names.length,
      task: await this.#numbered(ctx, facts.task, columns),
      approval: await this.#numbered(ctx, facts.approval, columns),
      violation: await this.#numbered(ctx, facts.violation, columns),
      delivery: await this.#numbered(ctx, facts.delivery, columns),
    };
  }

  async #tasks(ctx: QueryContext, ids: readonly string[], columns: LabelColumns, now: number) {
    if (ids.length === 0) return { task: [], approval: [] };
    const tasks = await readTasks(ctx, ids);
    const approvals = await readApprovals(ctx, ids);
    const told = tasks.filter((task) => hasEnded(task) || task.cost_usd > 0).map(({ id }) => id);
    const steps = told.length === 0 ? [] : await readSteps(ctx, told, now);
    const models = await this.#modelsOf(ctx, tasks);
    const stepsOf = Map.groupBy(steps, ({ task_id }: StepSource) => task_id);
    const approvalsOf = Map.groupBy(approvals, ({ task_id }: ApprovalSource) => task_id);
    const byId = new Map(tasks.map((task) => [task.id, task]));
    return {
      task: tasks.map((task): [string, Fact[]] => {
        const parts = [stepsOf.get(task.id) ?? [], approvalsOf.get(task.id) ?? []] as const;
        return [task.id, taskFacts(task, models.get(task.version_id) ?? null, ...parts, columns)];
      }),
      approval: approvals.flatMap((approval): [string, Fact[]][] => {
        const task = byId.get(approval.task_id);
        return task === undefined ? [] : [[approval.id, approvalFacts(approval, task, columns)]];
      }),
    };
  }

  async #modelsOf(ctx: QueryContext, tasks: readonly TaskSource[]): Promise<ReadonlyMap<string, string>> {
    const missing = new Set(tasks.map(({ version_id }) => version_id).filter((id) => !this.#models.has(id)));
    if (missing.size === 0) return this.#models;
    if (this.#models.size > mostModels) this.#models = new Map();
    for (const [id, model] of await readModels(ctx, [...missing])) this.#models.set(id, model);
    return this.#models;
  }

  async #numbered(ctx: QueryContext, facts: readonly [string, Fact[]][], columns: LabelColumns) {
    const flat = facts.flatMap(([, some]) => some.map(columnsOfFact));
    const cells = flat.length === 0 ? [] : await this.#values.number(ctx, flat, columns);
    let at = 0;
    return new Map(
      facts.map(([source, some]): [string, Cell[]] => {
        const own = cells.slice(at, at + some.length);
        at += some.length;
        return [source, own];
      }),
    );
  }
}
