import { type Refusal, refuse } from "../../../kernel/errors.ts";
import { overloaded } from "../../../kernel/problems.ts";
import { exhausted, neverFits, reservedByOthers } from "./errors.ts";
import type { BudgetLimit } from "./facts.ts";
import { Grant } from "./grant.ts";
import type { GrantStore, WindowAnswer, WindowKey, WindowReport } from "./grant-store.ts";
import type { BudgetWindow } from "./rules.ts";

// Milliseconds.
/** How long a call waits for other processes to give back what they do not need. */
const maxWait = 1_000;
const retryEvery = 25;
const recallEvery = 75;
/** What is not taken from for so long goes back; what is kept is renewed that often. */
const idleAfter = 10_000;
/** After a recall, what is settled or released is reported this soon. */
const reportSoon = 10;
const never = Number.NEGATIVE_INFINITY;

export interface WindowHost {
  readonly store: GrantStore;
  databaseNow(): number;
  newHolder(): string;
  /** The warning level is reached, or what is left was too little for a call. */
  reached(window: LocalWindow, kind: "warning" | "exhausted"): void;
  report(error: unknown): void;
}

export interface PendingReport extends WindowReport {
  delivered(answer: WindowAnswer | undefined): void;
  /** Its outcome is unknown. */
  failed(): void;
}

interface Waiter {
  readonly need: number;
  /** By `performance.now()`; null until the database was asked once. */
  until: number | null;
  readonly resolve: (grant: Grant) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One window of one limit in one process: its grant, and the calls that wait for more. At most one statement is under way for it; calls that wait
 * meanwhile are served by the next one.
 */
export class LocalWindow {
  readonly key: WindowKey;
  readonly bounds: BudgetWindow;
  readonly #host: WindowHost;
  #limit: BudgetLimit;
  #grant = new Grant();
  #holder: string;
  /** By the last answer of the database. */
  #used = 0;
  #granted = 0;
  #waiting: Waiter[] = [];
  #busy: Promise<void> | null = null;
  #broken = false;
  /** Taken since the last tick, and in the second before it. */
  #taken = 0;
  #rate = 0;
  /** Below this much, more is requested in advance: half a second's use, and half of what a process may hold. */
  #prefetchBelow = 0;
  #takenAt: number;
  #renewedAt: number;
  #recalledAt = never;
  #recallSentAt = never;
  #returnPending = false;
  #closed = false;
  #stopped = false;
  #retryTimer: NodeJS.Timeout | undefined;
  #reportTimer: NodeJS.Timeout | undefined;

  constructor(host: WindowHost, limit: BudgetLimit, bounds: BudgetWindow) {
    const { organization, environment, scope, unit, period } = limit;
    this.#host = host;
    this.#limit = limit;
    this.bounds = bounds;
    this.key = { organization, environment, scope, unit, period, startsAt: bounds.from };
    this.#holder = host.newHolder();
    this.#takenAt = this.#renewedAt = performance.now();
  }

  get limit(): BudgetLimit {
    return this.#limit;
  }
  /** Used in the window, as far as this process knows. */
  get used(): number {
    return this.#used + this.#grant.spent;
  }
  /** Whether no statement is under way, none has to be recovered, and nobody waits. */
  get idle(): boolean {
    return this.#busy === null && !this.#broken && this.#waiting.length === 0;
  }
  get empty(): boolean {
    const { held, reserved, spent } = this.#grant;
    return this.idle && held === 0 && reserved === 0 && spent === 0;
  }

  /** After a lower limit, what is not reserved goes back at once. */
  setLimit(limit: BudgetLimit): void {
    const lower = limit.hard !== null && (this.#limit.hard === null || limit.hard < this.#limit.hard);
    this.#limit = limit;
    if (lower) this.recall();
    else this.#serveOrAsk();
  }

  /** Nothing new is reserved: the window is over, or the limit is gone. Waiting calls are served first. */
  close(): void {
    this.#closed = true;
    this.recall();
  }

  reopen(limit: BudgetLimit): void {
    this.#closed = false;
    this.#limit = limit;
  }

  /** Reserves from memory; null where that does not suffice. */
  take(need: number): Grant | null {
    const grant = this.#grant;
    if (!grant.take(need)) return null;
    this.#taken += need;
    const prefetches = !this.#busy && !this.#broken && !this.#closed && !this.#stopped;
    if (grant.free < this.#prefetchBelow && prefetches) this.#run(this.#ask());
    return grant;
  }

  /** Rejects with `budget_exhausted`, or where the database cannot be asked. */
  wait(need: number): Promise<Grant> {
    if (this.#stopped) return Promise.reject(unavailable());
    if (this.#cannotFit(need)) return Promise.reject(this.#refusal(need));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ need, until: null, resolve, reject });
      this.#waiting.sort((a, b) => a.need - b.need); // stable: of equal needs, who came first
      this.#serveOrAsk();
    });
  }

  /** A call ended its reservation. After a recall that is reported soon, since another process may be waiting for it. */
  ended(): void {
    if (this.#stopped || (!this.#closed && this.#recalledAt === never)) return;
    if (!this.#closed && performance.now() - this.#recalledAt > maxWait) this.#recalledAt = never;
    else
      this.#reportTimer ??= setTimeout(() => {
        this.#reportTimer = undefined;
        this.#return();
      }, reportSoon);
  }

  /** A process found too little: what is spent is reported, and what no call needs goes back. */
  recall(): void {
    this.#recalledAt = performance.now();
    this.#return();
  }

  #return(): void {
    if (this.#busy) this.#returnPending = true;
    else if (!this.#broken && (this.#grant.free > 0 || this.#grant.spent > 0)) this.#run(this.#reportAlone());
  }

  /** Once a second. Returns whether there is something to report by `beginReport`. */
  tick(): boolean {
    this.#rate = this.#taken;
    this.#taken = 0;
    this.#setPrefetch();
    const now = performance.now();
    if (this.#rate > 0) this.#takenAt = now;
    if (this.#broken && this.#busy === null) this.#run(this.#recover());
    const { held, spent } = this.#grant;
    if (this.#busy !== null || this.#broken || (held === 0 && spent === 0)) return false;
    return spent > 0 || this.#isUnused(now) || now - this.#renewedAt >= idleAfter;
  }

  #isUnused(now: number): boolean {
    return (this.#closed || now - this.#takenAt >= idleAfter) && this.#grant.free > 0;
  }

  /** Begins a report that is sent with those of other windows. `all`: what is free goes back in any case. */
  beginReport(all: boolean): PendingReport {
    const { promise, resolve } = Promise.withResolvers<void>();
    const row = this.#row(all || this.#isUnused(performance.now()));
    this.#run(promise);
    return {
      ...row,
      delivered: (answer) => {
        this.#reported(answer);
        resolve();
      },
      failed: () => {
        this.#broken = true;
        resolve();
      },
    };
  }

  learn(used: number): void {
    // While a report is under way, its amount would be counted twice.
    if (this.#busy === null && used > this.#used) this.#learn(used, this.#granted);
  }

  /** Rejects the waiting calls and resolves when no statement is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#closed = true;
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#reportTimer);
    for (const waiter of this.#waiting.splice(0)) waiter.reject(unavailable());
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
      for (const waiter of this.#waiting.splice(0)) waiter.reject(unavailable());
      return;
    }
    if (this.#returnPending) {
      this.#returnPending = false;
      this.#serve();
      this.#return();
    }
    this.#serveOrAsk();
  }

  /** Serves waiting calls from memory, refuses those that cannot fit, and asks for the others. */
  #serveOrAsk(): void {
    if (this.#waiting.length === 0 || this.#busy) return;
    if (this.#broken) {
      this.#run(this.#recover());
      return;
    }
    this.#serve();
    this.#refuseSome();
    if (this.#waiting.some(({ until }) => until === null)) this.#run(this.#ask());
    else if (this.#waiting.length > 0)
      this.#retryTimer ??= setTimeout(() => {
        this.#retryTimer = undefined;
        if (this.#waiting.length > 0 && !this.#busy && !this.#broken) this.#run(this.#ask());
      }, retryEvery);
  }

  #serve(): void {
    while (this.#waiting[0] && this.#grant.take(this.#waiting[0].need)) {
      const { need, resolve } = this.#waiting.shift() as Waiter;
      this.#taken += need;
      resolve(this.#grant);
    }
  }

  #refuseSome(): void {
    const now = performance.now();
    this.#waiting = this.#waiting.filter((waiter) => {
      const refused = this.#cannotFit(waiter.need) || (waiter.until !== null && now >= waiter.until);
      if (refused) waiter.reject(this.#refusal(waiter.need));
      return !refused;
    });
  }

  /** Whether so much does not fit, whatever other processes give back. */
  #cannotFit(need: number): boolean {
    const { hard } = this.#limit;
    return hard !== null && hard - this.used < need;
  }

  #refusal(need: number): Refusal {
    const limit = this.#limit;
    const hard = limit.hard ?? Number.POSITIVE_INFINITY;
    const used = Math.min(this.used, hard);
    const shortage = { limit, window: this.bounds, used, need, now: this.#host.databaseNow() };
    // A limit that has room for smaller calls, or whose rest others hold, is not exhausted.
    if (this.#cannotFit(need > hard ? 1 : need)) this.#host.reached(this, "exhausted");
    if (need > hard) return neverFits(shortage);
    if (this.#cannotFit(need)) return exhausted(shortage);
    const reserved = this.#granted - this.#grant.spent - this.#grant.free;
    return reservedByOthers(shortage, Math.max(0, Math.min(hard - used, reserved)));
  }

  /** Near the end nothing is requested in advance: another process may lack it. */
  #setPrefetch(): void {
    const { hard } = this.#limit;
    const room = hard === null ? Number.POSITIVE_INFINITY : hard - this.#used - this.#granted;
    this.#prefetchBelow = room < 100 ? 0 : Math.min(this.#rate / 2, room / 40);
  }

  async #ask(): Promise<void> {
    let sum = -this.#grant.free;
    const missing = this.#waiting.map(({ need }) => (sum += need)).filter((amount) => amount > 0);
    const now = performance.now();
    const recall = now - this.#recallSentAt >= recallEvery;
    const ahead = 2 * Math.max(this.#rate, this.#taken);
    const { hard } = this.#limit;
    const answer = await this.#host.store.grant(this.key, this.#holder, { hard, missing, ahead, recall });
    const tooLittle = answer.taken < (missing.at(-1) ?? 0);
    if (tooLittle && recall) this.#recallSentAt = now;
    if (!this.#grant.add(answer.taken, answer.held)) this.#replace(this.#holder, answer.held);
    this.#learn(answer.used, answer.granted);
    this.#serve();
    for (const waiter of this.#waiting) waiter.until ??= performance.now() + maxWait;
  }

  async #reportAlone(): Promise<void> {
    const [answer] = await this.#host.store.report([this.#row(true)]);
    this.#reported(answer);
  }

  #row(back: boolean): WindowReport {
    const bare = this.#grant.held === 0;
    return { key: this.key, holder: this.#holder, report: this.#grant.beginReport(back), bare };
  }

  #reported(answer: WindowAnswer | undefined): void {
    this.#renewedAt = performance.now();
    if (answer) {
      this.#grant.reported(answer.held);
      this.#learn(answer.used, answer.granted);
    } else this.#replace();
  }

  #learn(used: number, granted: number): void {
    this.#used = Math.max(used, this.#used);
    this.#granted = granted;
    this.#setPrefetch();
    const { hard, warn } = this.#limit;
    if (warn !== null && used >= warn) this.#host.reached(this, "warning");
    if (hard !== null && used >= hard) this.#host.reached(this, "exhausted");
  }

  /** The grant lapsed: of money the ledger says what was used, of other units all counts. Calls under way end theirs without effect. `held`: what the holder was granted since. */
  #replace(holder = this.#host.newHolder(), held = 0): void {
    this.#grant.lose();
    this.#grant = new Grant();
    this.#grant.add(held, held);
    this.#holder = holder;
  }

  /** After a statement whose outcome is unknown: a new name of the holder keeps it from taking effect later; then the database says what is held. */
  async #recover(): Promise<void> {
    const next = this.#host.newHolder();
    const amount = await this.#host.store.rename(this.key, this.#holder, next);
    this.#holder = next;
    this.#grant.found(amount);
    if (this.#grant.lost) this.#replace(next, amount);
    this.#broken = false;
  }
}

const unavailable = (): Refusal =>
  refuse(overloaded, "A budget that covers the call cannot be checked at the moment; repeat the call in a second.", {
    headers: { "Retry-After": "1" },
  });
