import type { Refusal } from "../../../kernel/errors.ts";
import type { BudgetLimit } from "./facts.ts";
import { Portion } from "./grant.ts";
import type { PortionStore, WindowAnswer, WindowKey, WindowReport } from "./grant-store.ts";
import type { BudgetWindow } from "./model.ts";
import { exhausted, neverFits, reservedByOthers } from "./refusals.ts";

/** How long a call waits for other processes to give back what they do not need, once too little was found (milliseconds). */
const askFor = 1_000;
/** Between two times of asking again, and between two recalls (milliseconds). */
const askEvery = 25;
const recallEvery = 75;
/** What is not taken from for so long goes back (milliseconds); what is kept is renewed that often. */
export const idleAfter = 10_000;
/** After a recall, what is settled or released is reported this soon (milliseconds). */
const reportSoon = 10;
const never = Number.NEGATIVE_INFINITY;

/** What a page needs from the process around it. */
export interface PageHost {
  readonly store: PortionStore;
  /** Milliseconds of a clock that only runs forward. */
  monotonic(): number;
  /** The database's time, in milliseconds since the epoch. */
  databaseNow(): number;
  /** A name for a holder that no other process and no earlier portion has. */
  newHolder(): string;
  /** A limit has reached its warning level, or what is left of it was too little for a call. */
  reached(page: BudgetPage, kind: "warning" | "exhausted"): void;
  /** Refuses a call because the database cannot be asked. */
  unavailable(): Refusal;
  report(error: unknown): void;
}

/** A report on its way with others; it ends by one of the two. */
export interface PageReport extends WindowReport {
  told(answer: WindowAnswer | undefined): void;
  /** Its outcome is not known. */
  failed(): void;
}

interface Waiter {
  readonly need: number;
  /** On the monotonic clock; null: it has not been told that there is too little. */
  until: number | null;
  readonly resolve: (portion: Portion) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One window of one limit in one process: its portion, and the calls that wait for more of it. At most one statement is on its way for it;
 * whoever waits meanwhile is served by the next one.
 */
export class BudgetPage {
  readonly key: WindowKey;
  readonly window: BudgetWindow;
  readonly #host: PageHost;
  #limit: BudgetLimit;
  #portion = new Portion();
  #holder: string;
  /** As the database last said. */
  #used = 0;
  #granted = 0;
  #waiting: Waiter[] = [];
  #busy: Promise<void> | null = null;
  #broken = false;
  /** Taken since the last tick, and in the second before it. */
  #taken = 0;
  #rate = 0;
  /** Below this much, more is asked for in advance: half a second's use, and half of what a process may hold. */
  #low = 0;
  #takenAt: number;
  #renewedAt: number;
  #recalledAt = never;
  #recallSentAt = never;
  #givePending = false;
  #closed = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;

  constructor(host: PageHost, limit: BudgetLimit, window: BudgetWindow) {
    const { organization, environment, scope, unit, period } = limit;
    this.#host = host;
    this.#limit = limit;
    this.window = window;
    this.key = { organization, environment, scope, unit, period, startsAt: window.from };
    this.#holder = host.newHolder();
    this.#takenAt = this.#renewedAt = host.monotonic();
  }

  get limit(): BudgetLimit {
    return this.#limit;
  }
  get portion(): Portion {
    return this.#portion;
  }
  /** Used in the window, as far as this process knows. */
  get used(): number {
    return this.#used + this.#portion.spent;
  }
  /** Whether no statement is on its way, none has to be cleared up, and nobody waits. */
  get idle(): boolean {
    return this.#busy === null && !this.#broken && this.#waiting.length === 0;
  }
  get empty(): boolean {
    const { held, reserved, spent } = this.#portion;
    return this.idle && held === 0 && reserved === 0 && spent === 0;
  }

  /** Another limit stands for the same window. A lower one takes back at once what this process has not handed out. */
  setLimit(limit: BudgetLimit): void {
    const lower = limit.hard !== null && (this.#limit.hard === null || limit.hard < this.#limit.hard);
    this.#limit = limit;
    if (lower) this.recall();
    else this.#pump();
  }

  /** Nothing new is reserved: the window is over, or the limit is gone. Who waits is served first. */
  close(): void {
    this.#closed = true;
    this.recall();
  }

  /** The limit was set again in the same window. */
  reopen(limit: BudgetLimit): void {
    this.#closed = false;
    this.#limit = limit;
  }

  /** Reserves from memory; null where memory does not suffice. */
  take(need: number): Portion | null {
    const portion = this.#portion;
    if (!portion.take(need)) return null;
    this.#taken += need;
    if (portion.free < this.#low && this.#busy === null) this.#ahead();
    return portion;
  }

  /** Waits for enough. Rejects with `budget_exhausted`, or where the database cannot be asked. Refuses at once where what comes back cannot suffice. */
  want(need: number): Promise<Portion> {
    if (this.#stopped) return Promise.reject(this.#host.unavailable());
    if (this.#isOver(need)) return Promise.reject(this.#refusal(need));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ need, until: null, resolve, reject });
      this.#waiting.sort((a, b) => a.need - b.need); // stable: of equal needs, who came first
      this.#pump();
    });
  }

  /** A call ended its reservation. After a recall that is told soon, since somebody may be waiting for it. */
  ended(): void {
    if (this.#stopped || (!this.#closed && this.#recalledAt === never)) return;
    if (!this.#closed && this.#host.monotonic() - this.#recalledAt > askFor) this.#recalledAt = never;
    else this.#soon ??= setTimeout(() => this.#giveSoon(), reportSoon);
  }

  /** Somebody found too little: what is spent is reported, and what no call needs goes back. */
  recall(): void {
    this.#recalledAt = this.#host.monotonic();
    this.#give();
  }

  #giveSoon(): void {
    this.#soon = undefined;
    this.#give();
  }

  #give(): void {
    if (this.#busy) this.#givePending = true;
    else if (!this.#broken && (this.#portion.free > 0 || this.#portion.spent > 0)) this.#run(this.#reportAlone());
  }

  /** Once a second. Whether there is something to report: see `beginReport`. */
  tick(): boolean {
    this.#rate = this.#taken;
    this.#taken = 0;
    this.#setLow();
    const now = this.#host.monotonic();
    if (this.#rate > 0) this.#takenAt = now;
    if (this.#broken && this.#busy === null) this.#run(this.#recover());
    const { held, spent } = this.#portion;
    if (this.#busy !== null || this.#broken || (held === 0 && spent === 0)) return false;
    return spent > 0 || this.#rests(now) || now - this.#renewedAt >= idleAfter;
  }

  #rests(now: number): boolean {
    return (this.#closed || now - this.#takenAt >= idleAfter) && this.#portion.free > 0;
  }

  /** Begins a report that is sent together with those of other pages. `all`: what is free goes back in any case. Ends by `told` or `failed`. */
  beginReport(all: boolean): PageReport {
    const { promise, resolve } = Promise.withResolvers<void>();
    const row = this.#row(all || this.#rests(this.#host.monotonic()));
    this.#run(promise);
    return {
      ...row,
      told: (answer) => {
        this.#reported(answer);
        resolve();
      },
      failed: () => {
        this.#broken = true;
        resolve();
      },
    };
  }

  /** What the database says is used, read by itself. */
  learn(used: number): void {
    // While a report is on its way, its amount would be counted twice.
    if (this.#busy === null && used > this.#used) this.#learn(used, this.#granted);
  }

  /** Resolves when no statement is on its way. Nobody waits any more after it, and nothing is given. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#soon);
    for (const waiter of this.#waiting.splice(0)) waiter.reject(this.#host.unavailable());
    while (this.#busy) await this.#busy;
  }

  #run(work: Promise<void>): void {
    this.#busy = work
      .catch((error: unknown) => {
        this.#broken = true;
        this.#host.report(error);
      })
      .finally(() => {
        this.#busy = null;
        this.#afterStatement();
      });
  }

  #afterStatement(): void {
    if (this.#broken) {
      for (const waiter of this.#waiting.splice(0)) waiter.reject(this.#host.unavailable());
      return;
    }
    if (this.#givePending) {
      this.#givePending = false;
      this.#serve();
      this.#give();
    }
    this.#pump();
  }

  /** Serves who waits from memory, refuses whom nothing can help, and asks for the others. */
  #pump(): void {
    if (this.#waiting.length === 0 || this.#busy) return;
    if (this.#broken) {
      this.#run(this.#recover());
      return;
    }
    this.#serve();
    this.#refuseSome();
    if (this.#waiting.length === 0) return;
    if (this.#waiting.every(({ until }) => until !== null)) this.#timer ??= setTimeout(() => this.#again(), askEvery);
    else this.#run(this.#ask());
  }

  #again(): void {
    this.#timer = undefined;
    if (this.#waiting.length > 0 && !this.#busy && !this.#broken) this.#run(this.#ask());
  }

  #serve(): void {
    while (this.#waiting[0] && this.#portion.take(this.#waiting[0].need)) {
      const { need, resolve } = this.#waiting.shift() as Waiter;
      this.#taken += need;
      resolve(this.#portion);
    }
  }

  #refuseSome(): void {
    const now = this.#host.monotonic();
    this.#waiting = this.#waiting.filter((waiter) => {
      const refused = this.#isOver(waiter.need) || (waiter.until !== null && now >= waiter.until);
      if (refused) waiter.reject(this.#refusal(waiter.need));
      return !refused;
    });
  }

  /** Whether so much cannot fit any more, whatever other processes give back: what is used never comes back. */
  #isOver(need: number): boolean {
    const { hard } = this.#limit;
    return hard !== null && hard - this.used < need;
  }

  /** Why a call is refused. That one needs more than the whole limit, or that others hold what it needs, does not mean that the limit is used up. */
  #refusal(need: number): Refusal {
    const limit = this.#limit;
    const hard = limit.hard ?? Number.POSITIVE_INFINITY;
    const used = Math.min(this.used, hard);
    const shortage = { limit, window: this.window, used, need, now: this.#host.databaseNow() };
    if (this.#isOver(need > hard ? 1 : need)) this.#host.reached(this, "exhausted");
    if (need > hard) return neverFits(shortage);
    return this.#isOver(need) ? exhausted(shortage) : reservedByOthers(shortage, this.#reservedOf(hard - used));
  }

  /** What of `left` calls under way hold, of all processes, as far as this one knows. */
  #reservedOf(left: number): number {
    const { free, spent } = this.#portion;
    return Math.max(0, Math.min(left, this.#granted - spent - free));
  }

  /** Asks for more before it is needed. */
  #ahead(): void {
    if (!this.#broken && !this.#closed && !this.#stopped) this.#run(this.#ask());
  }

  /** Near the end nothing is asked for in advance: then what one process holds is what another one lacks. */
  #setLow(): void {
    const { hard } = this.#limit;
    const room = hard === null ? Number.POSITIVE_INFINITY : hard - this.#used - this.#granted;
    this.#low = room < 100 ? 0 : Math.min(this.#rate / 2, room / 40);
  }

  async #ask(): Promise<void> {
    let sum = -this.#portion.free;
    const missing = this.#waiting.map(({ need }) => (sum += need)).filter((amount) => amount > 0);
    const now = this.#host.monotonic();
    const recall = now - this.#recallSentAt >= recallEvery;
    const ahead = 2 * Math.max(this.#rate, this.#taken);
    const answer = await this.#host.store.grant(this.key, this.#holder, {
      hard: this.#limit.hard,
      missing,
      ahead,
      recall,
    });
    const tooLittle = answer.taken < (missing.at(-1) ?? 0);
    if (tooLittle && recall) this.#recallSentAt = now;
    if (!this.#portion.grant(answer.taken, answer.held)) this.#replace(this.#holder, answer.held);
    this.#learn(answer.used, answer.granted);
    this.#serve();
    for (const waiter of this.#waiting) waiter.until ??= this.#host.monotonic() + askFor;
  }

  async #reportAlone(): Promise<void> {
    const [answer] = await this.#host.store.report([this.#row(true)]);
    this.#reported(answer);
  }

  #row(back: boolean): WindowReport {
    const bare = this.#portion.held === 0;
    return { key: this.key, holder: this.#holder, report: this.#portion.beginReport(back), bare };
  }

  #reported(answer: WindowAnswer | undefined): void {
    this.#renewedAt = this.#host.monotonic();
    if (answer === undefined) {
      this.#replace();
      return;
    }
    this.#portion.reported(answer.held);
    this.#learn(answer.used, answer.granted);
  }

  #learn(used: number, granted: number): void {
    this.#used = Math.max(used, this.#used);
    this.#granted = granted;
    this.#setLow();
    const { hard, warn } = this.#limit;
    if (warn !== null && used >= warn) this.#host.reached(this, "warning");
    if (hard !== null && used >= hard) this.#host.reached(this, "exhausted");
  }

  /** The portion is gone: calls under way end it without effect, since all of it counts as used. What the holder has got since then is a new one. */
  #replace(holder = this.#host.newHolder(), held = 0): void {
    this.#portion.lose();
    this.#portion = new Portion();
    this.#portion.grant(held, held);
    this.#holder = holder;
  }

  /** After a statement whose outcome is not known: the holder takes another name, so that it cannot take effect later, and learns what it holds. */
  async #recover(): Promise<void> {
    const next = this.#host.newHolder();
    const amount = await this.#host.store.rename(this.key, this.#holder, next);
    this.#holder = next;
    this.#portion.found(amount);
    if (this.#portion.lost) this.#replace(next, amount);
    this.#broken = false;
  }
}
