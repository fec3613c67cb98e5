import type { FactStore } from "../../../db/facts.ts";
import { createListener } from "../../../db/listener.ts";
import type { OpenDatabase } from "../../../db/open.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { Refusal, refuse } from "../../../kernel/errors.ts";
import type { NewId } from "../../../kernel/ids.ts";
import type { RunInside, Statements } from "../../../kernel/machines.ts";
import { overloaded } from "../../../kernel/problems.ts";
import { noteBudget } from "../operations/note-budget.ts";
import { BudgetDesk } from "./allocator.ts";
import { budgetFacts } from "./facts.ts";
import { createPortionStore, recallChannel } from "./grant-store.ts";
import type { BudgetPage } from "./local-window.ts";

export interface BudgetParts {
  readonly database: Pick<OpenDatabase, "machinePool">;
  readonly facts: Pick<FactStore, "get">;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly report: (error: unknown) => void;
}

/** The budgets of one process. */
export interface Budgets extends Pick<BudgetDesk, "reserve" | "spend"> {
  /** Begins to report what was used. `inside` runs operations as `system:budgets`. */
  start(inside: RunInside): Promise<void>;
  /** Reports what was used and gives back the rest. After it every `reserve` that a budget covers is refused. */
  stop(): Promise<void>;
}

/** How often what was used is reported (milliseconds). */
const reportEvery = 1_000;

/**
 * The budgets that cover calls, in portions: this process takes some of what is left from the database in a short transaction of its own, hands it
 * out from memory, and reports each second what was used. Windows go by the database's time.
 */
export function createBudgets({ database, facts, clock, newId, report }: BudgetParts): Budgets {
  const store = createPortionStore(statementsOf(database.machinePool));
  const process = newId("req").slice(4);
  let holders = 0;
  let ahead = 0; // of the database's time before this process's clock, in milliseconds
  const notes = createNotes(report);
  const desk = new BudgetDesk(
    {
      store,
      monotonic: () => performance.now(),
      databaseNow: () => clock.now() + ahead,
      newHolder: () => `${process}-${++holders}`,
      reached: notes.reached,
      unavailable: () =>
        refuse(overloaded, "A budget that covers the call cannot be asked right now.", {
          headers: { "Retry-After": "1" },
        }),
      report,
    },
    () => facts.get(budgetFacts),
  );
  const measure = async (): Promise<void> => {
    const asked = clock.now();
    const told = await store.now();
    ahead = told - (asked + clock.now()) / 2;
  };
  const recalls = recallsFor(database, desk);
  const ticker = everySecond(async () => {
    await measure();
    await recalls.ensure();
    await desk.tick();
  }, report);
  return {
    reserve: (scope, spending) => desk.reserve(scope, spending),
    spend: (scope, agent) => desk.spend(scope, agent),
    async start(inside) {
      notes.start(inside);
      await measure();
      await recalls.ensure();
      await desk.learn();
      ticker.start();
    },
    async stop() {
      await ticker.stop();
      await desk.stop();
      await notes.stop();
      recalls.stop();
    },
  };
}

/** Repeats work, a second after it has ended; `stop` waits for what is under way, whose faults are then nobody's. */
function everySecond(work: () => Promise<void>, report: (error: unknown) => void) {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  const start = (): void => {
    timer = setTimeout(() => {
      working = work()
        .catch((error: unknown) => (stopped ? undefined : report(error)))
        .finally(() => (stopped ? undefined : start()));
    }, reportEvery);
  };
  return {
    start,
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await working;
    },
  };
}

/** Hears when a process found too little. While no connection listens, nothing is kept: what may have been missed counts as asked for. */
const recallsFor = ({ machinePool }: BudgetParts["database"], desk: BudgetDesk) =>
  createListener({
    ...{ pool: machinePool, channel: recallChannel },
    heard: (payload) => desk.recall(payload),
    began: () => desk.recallAll(),
  });

function statementsOf(pool: OpenDatabase["machinePool"]): Statements {
  return {
    query: async <R extends object>(text: string, values: readonly unknown[] = []) =>
      (await pool.query(text, values as unknown[])).rows as R[],
  };
}

/** Tells of limits that were reached, once per page and limit; over all processes the operation sees to it. */
function createNotes(report: (error: unknown) => void) {
  const told = new WeakMap<BudgetPage, Record<BudgetKind, number | null>>();
  const running = new Set<Promise<unknown>>();
  let inside: RunInside | null = null;
  const tell = async (page: BudgetPage, kind: BudgetKind, level: number, through: RunInside): Promise<void> => {
    const { organization, environment, scope, unit, period } = page.limit;
    try {
      const note = { scope, unit, period, window: page.window, kind, level };
      await through(noteBudget, { organization, environment }, note);
    } catch (error) {
      const refused = error instanceof Refusal;
      if (refused && !error.type.retryable) return; // the limit was taken away meanwhile
      const at = told.get(page);
      if (at) at[kind] = null; // the next one that finds it tells it
      if (!refused) report(error);
    }
  };
  return {
    start: (through: RunInside) => (inside = through),
    reached(page: BudgetPage, kind: BudgetKind): void {
      const limit = kind === "warning" ? page.limit.warn : page.limit.hard;
      const at = told.get(page) ?? { warning: null, exhausted: null };
      if (inside === null || limit === null || limit === at[kind]) return;
      at[kind] = limit;
      told.set(page, at);
      const telling = tell(page, kind, limit, inside).finally(() => running.delete(telling));
      running.add(telling);
    },
    async stop(): Promise<void> {
      inside = null;
      await Promise.all(running);
    },
  };
}
type BudgetKind = "warning" | "exhausted";
