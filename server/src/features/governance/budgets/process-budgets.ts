import type { FactStore } from "../../../db/facts.ts";
import { createListener } from "../../../db/listener.ts";
import type { OpenDatabase } from "../../../db/open.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { Refusal } from "../../../kernel/errors.ts";
import type { NewId } from "../../../kernel/ids.ts";
import type { LedgerEntry } from "../../../kernel/ledger.ts";
import type { RunInside, Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { BudgetAllocator } from "./allocator.ts";
import { budgetFacts } from "./facts.ts";
import { createGrantStore, recallChannel } from "./grant-store.ts";
import { writeCharge } from "./ledger-store.ts";
import type { LocalWindow } from "./local-window.ts";
import { type NoteBudget, noteBudget } from "./operations/note-budget.ts";

export interface BudgetParts {
  readonly database: Pick<OpenDatabase, "machinePool">;
  readonly facts: Pick<FactStore, "get">;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly report: (error: unknown) => void;
}

export interface Budgets extends Pick<BudgetAllocator, "reserve" | "spend"> {
  /** Writes down what work that outlived its call was charged. Once, however often it is written. */
  charge(scope: Scope, entry: LedgerEntry): Promise<void>;
  /** Begins to report what was used. `inside` runs operations as `system:budgets`. */
  start(inside: RunInside): Promise<void>;
  /** Reports what was used and gives back the rest. After it every `reserve` that a budget covers is refused. */
  stop(): Promise<void>;
}

/**
 * This process is granted some of what is left of each budget in a short transaction of its own, hands it out from memory, and reports each second
 * what was used (decision 0009). Windows follow the database's time.
 */
export function createBudgets({ database, facts, clock, newId, report }: BudgetParts): Budgets {
  const db = statementsOf(database.machinePool);
  const store = createGrantStore(db);
  const process = newId("req").slice(4);
  let holders = 0;
  let ahead = 0; // of the database's time before this process's clock, in milliseconds
  const notes = createNotes(report);
  const allocator = new BudgetAllocator(
    {
      store,
      databaseNow: () => clock.now() + ahead,
      newHolder: () => `${process}-${++holders}`,
      reached: notes.reached,
      report,
    },
    () => facts.get(budgetFacts),
  );
  const measure = async (): Promise<void> => {
    const asked = clock.now();
    const databaseNow = await store.now();
    ahead = databaseNow - (asked + clock.now()) / 2;
  };
  const recalls = recallsFor(database, allocator);
  const ticker = everySecond(async () => {
    await measure();
    await recalls.ensure();
    await allocator.tick();
  }, report);
  return {
    reserve: (scope, spending) => allocator.reserve(scope, spending),
    spend: (scope, agent) => allocator.spend(scope, agent),
    charge: (scope, entry) => writeCharge(db, scope, entry),
    async start(inside) {
      notes.start(inside);
      await measure();
      await recalls.ensure();
      await allocator.learn();
      ticker.start();
    },
    async stop() {
      await ticker.stop();
      await allocator.stop();
      await notes.stop();
      recalls.stop();
    },
  };
}

/** Repeats work a second after it has ended. `stop` waits for what is under way and ignores its errors. */
function everySecond(work: () => Promise<void>, report: (error: unknown) => void) {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  const start = (): void => {
    timer = setTimeout(() => {
      working = work()
        .catch((error: unknown) => (stopped ? undefined : report(error)))
        .finally(() => (stopped ? undefined : start()));
    }, 1_000);
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

/** Recalls what a process found too little of, and everything where notifications may have been missed. */
const recallsFor = ({ machinePool }: BudgetParts["database"], allocator: BudgetAllocator) =>
  createListener({
    pool: machinePool,
    channel: recallChannel,
    heard: (payload) => allocator.recall(payload),
    began: () => allocator.recallAll(),
  });

function statementsOf(pool: OpenDatabase["machinePool"]): Statements {
  return {
    query: async <R extends object>(text: string, values: readonly unknown[] = []) =>
      (await pool.query(text, values as unknown[])).rows as R[],
  };
}

/** Notes each limit that was reached, once per window; the operation does so over all processes. */
function createNotes(report: (error: unknown) => void) {
  const noted = new WeakMap<LocalWindow, Record<NoteBudget["kind"], number | null>>();
  const running = new Set<Promise<unknown>>();
  let inside: RunInside | null = null;
  return {
    start: (runInside: RunInside) => (inside = runInside),
    reached(window: LocalWindow, kind: NoteBudget["kind"]): void {
      const { organization, environment, scope, unit, period, warn, hard } = window.limit;
      const level = kind === "warning" ? warn : hard;
      const levels = noted.get(window) ?? { warning: null, exhausted: null };
      if (inside === null || level === null || level === levels[kind]) return;
      levels[kind] = level;
      noted.set(window, levels);
      const input = { scope, unit, period, window: window.bounds, kind, level };
      const noting = inside(noteBudget, { organization, environment }, input)
        .catch((error: unknown) => {
          if (error instanceof Refusal && !error.type.retryable) return; // the limit was removed meanwhile
          levels[kind] = null; // the next call that reaches it tries again
          if (!(error instanceof Refusal)) report(error);
        })
        .finally(() => running.delete(noting));
      running.add(noting);
    },
    async stop(): Promise<void> {
      inside = null;
      await Promise.all(running);
    },
  };
}
