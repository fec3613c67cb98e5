import type { Demand, Reservation, Spending } from "../../../kernel/budget.ts";
import type { Scope } from "../../../kernel/principal.ts";
import type { BudgetDirectory, BudgetLimit } from "./facts.ts";
import type { Portion } from "./grant.ts";
import { windowName } from "./grant-store.ts";
import { BudgetPage, type PageHost } from "./local-window.ts";
import { amountOf, demandOf, wholeOf, windowAt } from "./model.ts";
import { unpriced } from "./refusals.ts";

/** Most pages in one report. */
const mostTogether = 200;

/** One limit over its windows: the present one, and what it is now. */
interface Account {
  limit: BudgetLimit;
  page: BudgetPage | null;
}

/** The accounts of an environment by whom they cover, each list in the order of the limits' keys. */
interface Coverage {
  readonly environment: Account[];
  readonly agents: Map<string, Account[]>;
  readonly keys: Map<string, Account[]>;
  readonly members: Map<string, Account[]>;
}

const none: readonly Account[] = [];
const accountName = ({ organization, environment, scope, unit, period, createdAt }: BudgetLimit): string =>
  JSON.stringify([organization, environment, scope, unit, period, period === "total" ? createdAt : 0]);

/** A part of budgets for one call: what it reserved of each. */
class Held implements Reservation {
  readonly #pages: BudgetPage[] = [];
  readonly #portions: Portion[] = [];
  readonly #amounts: number[] = [];

  add(page: BudgetPage, portion: Portion, amount: number): void {
    this.#pages.push(page);
    this.#portions.push(portion);
    this.#amounts.push(amount);
  }

  get empty(): boolean {
    return this.#pages.length === 0;
  }

  settle(actual?: Demand): void {
    this.#end((portion, amount, page) => portion.settle(amount, usedOf(page.limit, amount, actual)));
  }

  release(): void {
    this.#end((portion, amount) => portion.release(amount));
  }

  #end(how: (portion: Portion, amount: number, page: BudgetPage) => void): void {
    for (let i = 0; i < this.#pages.length; i++) {
      const page = this.#pages[i] as BudgetPage;
      how(this.#portions[i] as Portion, this.#amounts[i] as number, page);
      page.ended();
    }
    this.#pages.length = 0;
  }
}

/** What of a reserved amount was used: what the call says, or all of it where it says nothing of this unit. */
function usedOf({ unit }: BudgetLimit, amount: number, actual: Demand | undefined): number {
  const said = actual?.[unit];
  return said === undefined ? amount : Math.max(0, wholeOf(unit, said));
}

/** Refuses what costs nobody knows how much, where a budget of money covers it. */
function refuseUnpriced(lists: readonly (readonly Account[] | undefined)[]): void {
  for (const accounts of lists)
    for (const { limit } of accounts ?? none) if (limit.unit === "usd" && limit.hard !== null) throw unpriced(limit);
}

/** Hands out the portions of one process. `reserve` is synchronous as long as they suffice. */
export class BudgetDesk {
  readonly #host: PageHost;
  readonly #directory: () => BudgetDirectory;
  #known: BudgetDirectory | null = null;
  #accounts = new Map<string, Account>();
  #coverage = new Map<string, Map<string, Coverage>>();
  /** All that hold something, or may. */
  readonly #pages = new Map<string, BudgetPage>();

  /** `directory` answers the limits in force, the same object as long as none changed. */
  constructor(host: PageHost, directory: () => BudgetDirectory) {
    this.#host = host;
    this.#directory = directory;
  }

  /** Reserves of every budget that covers the call, in the order of their keys; null where none does. Throws or rejects with `budget_exhausted`, also where the call costs nobody knows how much. */
  reserve(
    scope: Scope,
    { agent, keyId, principal, demand }: Spending,
  ): Reservation | null | Promise<Reservation | null> {
    const coverage = this.#coverageOf(scope);
    if (coverage === undefined) return null;
    const held = new Held();
    const lists = [
      coverage.agents.get(agent),
      coverage.environment,
      keyId === null ? undefined : coverage.keys.get(keyId),
      coverage.members.get(principal),
    ];
    if (demand.usdUnknown) refuseUnpriced(lists);
    const now = this.#host.databaseNow();
    for (let i = 0; i < lists.length; i++) {
      const accounts = lists[i] ?? none;
      for (let j = 0; j < accounts.length; j++) {
        const account = accounts[j] as Account;
        const need = demandOf(account.limit.unit, demand);
        if (need === 0) continue;
        const page = this.#pageOf(account, now);
        const portion = page.take(need);
        if (portion === null) return this.#rest(held, lists, i, j, demand, now);
        held.add(page, portion, need);
      }
    }
    return held.empty ? null : held;
  }

  /** The way that waits, from the first budget on that memory did not suffice for. What was reserved before is released where a later one refuses. */
  async #rest(
    held: Held,
    lists: readonly (readonly Account[] | undefined)[],
    list: number,
    first: number,
    demand: Demand,
    now: number,
  ): Promise<Reservation> {
    try {
      for (let i = list; i < lists.length; i++) {
        for (const account of (lists[i] ?? none).slice(i === list ? first : 0)) {
          const need = demandOf(account.limit.unit, demand);
          if (need === 0) continue;
          const page = this.#pageOf(account, now);
          held.add(page, page.take(need) ?? (await page.want(need)), need);
        }
      }
      return held;
    } catch (error) {
      held.release();
      throw error;
    }
  }

  /** What is used of money budgets that cover the agent or its whole environment, in US dollars, as `<agent|environment>_<day|month>`. */
  spend(scope: Scope, agent: string): Readonly<Record<string, number>> | undefined {
    const coverage = this.#coverageOf(scope);
    if (coverage === undefined) return undefined;
    let spend: Record<string, number> | undefined;
    for (const [name, accounts] of [
      ["agent", coverage.agents.get(agent)],
      ["environment", coverage.environment],
    ] as const) {
      for (const account of accounts ?? none) {
        const { unit, period } = account.limit;
        if (unit !== "usd" || (period !== "day" && period !== "month")) continue;
        spend ??= {};
        spend[`${name}_${period}_usd`] = amountOf(unit, this.#pageOf(account, this.#host.databaseNow()).used);
      }
    }
    return spend;
  }

  /** Once a second: takes up changed limits, reports what was used, renews or gives back what is held, and learns what others used. */
  async tick(): Promise<void> {
    this.#adopt(this.#directory());
    for (const [name, page] of this.#pages) if (page.empty && !this.#isCurrent(page)) this.#pages.delete(name);
    await this.#report(
      [...this.#pages.values()].filter((page) => page.tick()),
      false,
    );
    await this.learn();
  }

  /** Reads what is used of the budgets that policies can ask about. */
  async learn(): Promise<void> {
    this.#adopt(this.#directory());
    const now = this.#host.databaseNow();
    const pages = [...this.#accounts.values()]
      .filter(
        ({ limit: { unit, period, scope } }) =>
          unit === "usd" && (period === "day" || period === "month") && /^(agent:|environment$)/.test(scope),
      )
      .map((account) => this.#pageOf(account, now));
    if (pages.length === 0) return;
    const used = await this.#host.store.used(pages.map(({ key }) => key));
    for (const [i, page] of pages.entries()) page.learn(used[i] ?? 0);
  }

  /** Another process, or this one, found too little of a window. */
  recall(name: string): void {
    this.#pages.get(name)?.recall();
  }

  /** All windows are to be looked at: notifications may have been missed. */
  recallAll(): void {
    for (const page of this.#pages.values()) page.recall();
  }

  /** Reports what was used and gives back the rest. Nothing is handed out any more. */
  async stop(): Promise<void> {
    const pages = [...this.#pages.values()];
    await Promise.all(pages.map((page) => page.stop()));
    await this.#report(
      pages.filter((page) => page.idle && !page.empty),
      true,
    );
  }

  async #report(pages: readonly BudgetPage[], all: boolean): Promise<void> {
    for (let at = 0; at < pages.length; at += mostTogether) {
      // A statement may have begun for a page while the ones before it were written.
      const rows = pages.slice(at, at + mostTogether).flatMap((page) => (page.idle ? [page.beginReport(all)] : []));
      if (rows.length === 0) continue;
      try {
        const answers = await this.#host.store.report(rows);
        for (const [i, row] of rows.entries()) row.told(answers[i]);
      } catch (error) {
        this.#host.report(error);
        for (const row of rows) row.failed();
      }
    }
  }

  #coverageOf({ organization, environment }: Scope): Coverage | undefined {
    const directory = this.#directory();
    if (directory !== this.#known) this.#adopt(directory);
    return this.#coverage.get(organization)?.get(environment);
  }

  /** Opens the present window where there is none, or the one before has ended. A moment before the window is that of a call a little late. */
  #pageOf(account: Account, now: number): BudgetPage {
    const { page } = account;
    if (page !== null && (page.window.to === null || now < page.window.to)) return page;
    page?.close();
    const next = new BudgetPage(
      this.#host,
      account.limit,
      windowAt(account.limit.period, now, account.limit.createdAt),
    );
    const name = windowName(next.key);
    const known = this.#pages.get(name);
    known?.reopen(account.limit);
    account.page = known ?? next;
    if (!known) this.#pages.set(name, next);
    return account.page;
  }

  #isCurrent(page: BudgetPage): boolean {
    return this.#accounts.get(accountName(page.limit))?.page === page;
  }

  #adopt(directory: BudgetDirectory): void {
    if (directory === this.#known) return;
    this.#known = directory;
    const before = this.#accounts;
    this.#accounts = new Map();
    this.#coverage = new Map();
    for (const limit of directory.limits) {
      const name = accountName(limit);
      const account = before.get(name) ?? { limit, page: null };
      account.limit = limit;
      this.#accounts.set(name, account);
      this.#cover(account);
      account.page?.setLimit(limit);
      before.delete(name);
    }
    for (const gone of before.values()) gone.page?.close();
  }

  #cover(account: Account): void {
    const { organization, environment, scope } = account.limit;
    const environments = getOr(this.#coverage, organization, () => new Map<string, Coverage>());
    const coverage = getOr(environments, environment, () => ({
      environment: [],
      agents: new Map(),
      keys: new Map(),
      members: new Map(),
    }));
    const cut = scope.indexOf(":");
    const id = scope.slice(cut + 1);
    if (cut < 0) coverage.environment.push(account);
    else if (scope.startsWith("agent:")) getOr(coverage.agents, id, () => []).push(account);
    else if (scope.startsWith("key:")) getOr(coverage.keys, id, () => []).push(account);
    else getOr(coverage.members, id, () => []).push(account);
  }
}

function getOr<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
