import type { Demand, Reservation, Spending } from "../../../kernel/budget.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { unpriced } from "./errors.ts";
import type { BudgetDirectory, BudgetLimit } from "./facts.ts";
import type { Grant } from "./grant.ts";
import { windowName } from "./grant-store.ts";
import { LocalWindow, type WindowHost } from "./local-window.ts";
import { amountOf, demandOf, wholeOf, windowAt } from "./rules.ts";

const maxReported = 200;

interface Account {
  limit: BudgetLimit;
  window: LocalWindow | null;
}

interface Claim {
  readonly account: Account;
  readonly amount: number;
}

const accountName = ({ organization, environment, scope, unit, period, createdAt }: BudgetLimit): string =>
  JSON.stringify([organization, environment, scope, unit, period, period === "total" ? createdAt : 0]);
const environmentName = ({ organization, environment }: Scope): string => `${organization} ${environment}`;

const isSpend = ({ unit, period, scope }: BudgetLimit): boolean =>
  unit === "usd" && (period === "day" || period === "month") && /^(agent:|environment$)/.test(scope);

class HeldReservation implements Reservation {
  readonly at: number;
  #parts: { readonly window: LocalWindow; readonly grant: Grant; readonly amount: number }[] = [];

  constructor(at: number) {
    this.at = at;
  }

  add(window: LocalWindow, grant: Grant, amount: number): void {
    this.#parts.push({ window, grant, amount });
  }

  settle(actual?: Demand): void {
    for (const { window, grant, amount } of this.#end()) {
      const used = actual?.[window.limit.unit];
      grant.settle(amount, used === undefined ? amount : Math.max(0, wholeOf(window.limit.unit, used)));
      window.ended();
    }
  }

  release(): void {
    for (const { window, grant, amount } of this.#end()) {
      grant.release(amount);
      window.ended();
    }
  }

  #end() {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }
}

/** Allocates the grants of one process to calls. `reserve` is synchronous as long as they suffice. */
export class BudgetAllocator {
  readonly #host: WindowHost;
  readonly #directory: () => BudgetDirectory;
  #known: BudgetDirectory | null = null;
  #accounts = new Map<string, Account>();
  /** Accounts by environment and scope, each list in the order of the limits' keys. */
  #covering = new Map<string, Map<string, Account[]>>();
  readonly #windows = new Map<string, LocalWindow>();

  /** `directory` returns the limits in force, the same object as long as none changed. */
  constructor(host: WindowHost, directory: () => BudgetDirectory) {
    this.#host = host;
    this.#directory = directory;
  }

  /** Reserves of every budget that covers the call, in the order of their keys; null where none does. Throws or rejects with `budget_exhausted`. */
  reserve(
    scope: Scope,
    { agent, keyId, principal, demand }: Spending,
  ): Reservation | null | Promise<Reservation | null> {
    const budgets = this.#budgetsOf(scope);
    if (budgets === undefined) return null;
    const covering = [`agent:${agent}`, "environment", `key:${keyId}`, `member:${principal}`].flatMap(
      (name) => budgets.get(name) ?? [],
    );
    if (demand.usdUnknown) {
      const money = covering.find(({ limit: { unit, hard } }) => unit === "usd" && hard !== null);
      if (money) throw unpriced(money.limit);
    }
    const claims = covering
      .map((account) => ({ account, amount: demandOf(account.limit.unit, demand) }))
      .filter(({ amount }) => amount > 0);
    const now = Math.floor(this.#host.databaseNow());
    const held = new HeldReservation(now);
    for (const [i, { account, amount }] of claims.entries()) {
      const window = this.#windowOf(account, now);
      const grant = window.take(amount);
      if (grant === null) return this.#wait(held, claims.slice(i), now);
      held.add(window, grant, amount);
    }
    return claims.length === 0 ? null : held;
  }

  /** Releases what was reserved before where a later budget refuses. */
  async #wait(held: HeldReservation, claims: readonly Claim[], now: number): Promise<Reservation> {
    try {
      for (const { account, amount } of claims) {
        const window = this.#windowOf(account, now);
        held.add(window, window.take(amount) ?? (await window.wait(amount)), amount);
      }
      return held;
    } catch (error) {
      held.release();
      throw error;
    }
  }

  /** What is used of the money budgets of the agent and the environment, in US dollars, as `<agent|environment>_<day|month>_usd`. */
  spend(scope: Scope, agent: string): Readonly<Record<string, number>> | undefined {
    const budgets = this.#budgetsOf(scope);
    const spend = Object.fromEntries(
      [...(budgets?.get(`agent:${agent}`) ?? []), ...(budgets?.get("environment") ?? [])]
        .filter(({ limit }) => isSpend(limit))
        .map((account) => {
          const { unit, period, scope } = account.limit;
          const { used } = this.#windowOf(account, this.#host.databaseNow());
          return [`${scope === "environment" ? scope : "agent"}_${period}_usd`, amountOf(unit, used)];
        }),
    );
    return Object.keys(spend).length > 0 ? spend : undefined;
  }

  /** Once a second: adopts changed limits, reports what was used, renews or gives back what is held, and learns what others used. */
  async tick(): Promise<void> {
    this.#adopt(this.#directory());
    for (const [name, window] of this.#windows)
      if (window.empty && !this.#isCurrent(window)) this.#windows.delete(name);
    const due = [...this.#windows.values()].filter((window) => window.tick());
    await this.#report(due, false);
    await this.learn();
  }

  async learn(): Promise<void> {
    this.#adopt(this.#directory());
    const now = this.#host.databaseNow();
    const windows = [...this.#accounts.values()]
      .filter(({ limit }) => isSpend(limit))
      .map((account) => this.#windowOf(account, now));
    if (windows.length === 0) return;
    const used = await this.#host.store.used(windows.map(({ key }) => key));
    for (const [i, window] of windows.entries()) window.learn(used[i] ?? 0);
  }

  recall(name: string): void {
    this.#windows.get(name)?.recall();
  }

  /** Notifications may have been missed. */
  recallAll(): void {
    for (const window of this.#windows.values()) window.recall();
  }

  /** Reports what was used and gives back the rest. After it every `reserve` that a budget covers is refused. */
  async stop(): Promise<void> {
    const windows = [...this.#windows.values()];
    await Promise.all(windows.map((window) => window.stop()));
    const left = windows.filter((window) => window.idle && !window.empty);
    await this.#report(left, true);
  }

  async #report(windows: readonly LocalWindow[], all: boolean): Promise<void> {
    for (let at = 0; at < windows.length; at += maxReported) {
      // A statement may have begun for a window while the ones before it were written.
      const idle = windows.slice(at, at + maxReported).filter((window) => window.idle);
      if (idle.length === 0) continue;
      const reports = idle.map((window) => window.beginReport(all));
      try {
        const answers = await this.#host.store.report(reports);
        for (const [i, report] of reports.entries()) report.delivered(answers[i]);
      } catch (error) {
        this.#host.report(error);
        for (const report of reports) report.failed();
      }
    }
  }

  #budgetsOf(scope: Scope): Map<string, Account[]> | undefined {
    this.#adopt(this.#directory());
    return this.#covering.get(environmentName(scope));
  }

  /** Opens the present window where there is none, or the one before has ended. A time before the window is that of a call that is a little late. */
  #windowOf(account: Account, now: number): LocalWindow {
    const { limit, window } = account;
    if (window !== null && (window.bounds.to === null || now < window.bounds.to)) return window;
    window?.close();
    const next = new LocalWindow(this.#host, limit, windowAt(limit.period, now, limit.createdAt));
    const name = windowName(next.key);
    const known = this.#windows.get(name);
    known?.reopen(limit);
    account.window = known ?? next;
    if (!known) this.#windows.set(name, next);
    return account.window;
  }

  #isCurrent(window: LocalWindow): boolean {
    return this.#accounts.get(accountName(window.limit))?.window === window;
  }

  #adopt(directory: BudgetDirectory): void {
    if (directory === this.#known) return;
    this.#known = directory;
    const before = this.#accounts;
    this.#accounts = new Map();
    this.#covering = new Map();
    for (const limit of directory.limits) {
      const name = accountName(limit);
      const account = before.get(name) ?? { limit, window: null };
      account.limit = limit;
      this.#accounts.set(name, account);
      this.#cover(account);
      account.window?.setLimit(limit);
      before.delete(name);
    }
    for (const gone of before.values()) gone.window?.close();
  }

  #cover(account: Account): void {
    const name = environmentName(account.limit);
    const budgets = this.#covering.get(name) ?? new Map<string, Account[]>();
    this.#covering.set(name, budgets);
    budgets.set(account.limit.scope, [...(budgets.get(account.limit.scope) ?? []), account]);
  }
}
