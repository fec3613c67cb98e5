import { lookup } from "node:dns/promises";
import { OutboundError } from "./errors.ts";
import type { Resolve } from "./types.ts";

// How names are looked up. The system does that on a few threads of the process, cannot be stopped, and takes ten seconds and more over a name whose servers are
// dead. So that such a name delays nobody but itself, what is known of names decides who gets a thread.

export interface NamesParts {
  /** Looks a name up. */
  readonly resolve: Resolve;
  /** Look-ups that run at a time at most (2 or more). */
  readonly atATime: number;
}

/** A look-up that takes so long hangs: nobody else waits for it (milliseconds). */
export const hangsAfter = 2_000;
/** How long one waits for its turn (milliseconds). */
export const turnMs = 5_000;
/** How long it is remembered that a name could not be looked up (milliseconds). */
export const failureMs = 3_000;
/** Names of which it is remembered how their last look-up went. */
const remembered = 10_000;

/** How the last look-up of a name went; `fresh`: nobody knows. In the order in which they get a turn. */
const kinds = ["prompt", "fresh", "slow"] as const;
type Kind = (typeof kinds)[number];

interface LookUp {
  readonly host: string;
  readonly kind: Kind;
  readonly found: PromiseWithResolvers<Awaited<ReturnType<Resolve>>>;
  /** Null: it waits for its turn. */
  begunAt: number | null;
}

/**
 * Looks names up for everybody in a process. Who asks for a name that is being looked up shares that look-up, unless it hangs: then it is refused at once, as it is for
 * some seconds after a failure. Names that took long get few of the threads, and those of which nothing is known leave some to names that are looked up promptly. What
 * was found is never kept: each connection asks again. Rejects as `dns.lookup` does, or with an OutboundError where the name got no turn.
 */
export function createNames(parts: NamesParts): Resolve {
  const names = new Names(parts);
  return (host) => names.lookUp(host);
}

class Names {
  readonly #resolve: Resolve;
  /** Of look-ups of a kind or of one behind it, so many run at a time. */
  readonly #most: Readonly<Record<Kind, number>>;
  readonly #open = new Map<string, LookUp>();
  readonly #failures = new Map<string, unknown>();
  readonly #kinds = new Map<string, Kind>();
  readonly #waiting = new Set<LookUp>();
  readonly #running = new Set<LookUp>();

  constructor({ resolve, atATime }: NamesParts) {
    const spare = Math.max(1, Math.floor(atATime / 4));
    this.#resolve = resolve;
    this.#most = { prompt: atATime, fresh: Math.max(1, atATime - spare), slow: spare };
  }

  async lookUp(host: string): ReturnType<Resolve> {
    if (this.#failures.has(host)) throw this.#failures.get(host);
    const shared = this.#open.get(host);
    if (shared && shared.begunAt !== null && performance.now() - shared.begunAt >= hangsAfter) throw hangs(host);
    if (shared) return shared.found.promise;
    const one: LookUp = { host, kind: this.#kinds.get(host) ?? "fresh", found: Promise.withResolvers(), begunAt: null };
    this.#open.set(host, one);
    this.#waiting.add(one);
    const late = setTimeout(() => {
      if (!this.#waiting.delete(one)) return;
      this.#open.delete(host);
      one.found.reject(noTurn(host));
    }, turnMs);
    this.#next();
    return one.found.promise.finally(() => clearTimeout(late));
  }

  /** Begins what has its turn. */
  #next(): void {
    for (const kind of kinds) {
      for (const one of this.#waiting) {
        if (one.kind !== kind) continue;
        if (!this.#mayBegin(kind)) break;
        this.#waiting.delete(one);
        void this.#run(one);
      }
    }
  }

  #mayBegin(kind: Kind): boolean {
    const running = [...this.#running];
    return kinds.slice(0, kinds.indexOf(kind) + 1).every((bound) => {
      const behind = kinds.slice(kinds.indexOf(bound));
      return running.filter((one) => behind.includes(one.kind)).length < this.#most[bound];
    });
  }

  async #run(one: LookUp): Promise<void> {
    const { host, found } = one;
    const begunAt = performance.now();
    one.begunAt = begunAt;
    this.#running.add(one);
    try {
      found.resolve(await this.#resolve(host));
    } catch (error) {
      this.#failures.set(host, error);
      setTimeout(() => this.#failures.delete(host), failureMs).unref();
      found.reject(error);
    }
    this.#note(host, performance.now() - begunAt < hangsAfter ? "prompt" : "slow");
    this.#running.delete(one);
    this.#open.delete(host);
    this.#next();
  }

  #note(host: string, kind: Kind): void {
    this.#kinds.delete(host);
    this.#kinds.set(host, kind);
    if (this.#kinds.size > remembered) this.#kinds.delete(this.#kinds.keys().next().value as string);
  }
}

const hangs = (host: string): OutboundError =>
  new OutboundError(
    "name_not_found",
    `\`${host}\` cannot be looked up: nobody answers for the name; check its name servers`,
    {
      sent: false,
    },
  );
const noTurn = (host: string): OutboundError =>
  new OutboundError("name_not_found", `\`${host}\` was not looked up: other names take all the time; try again later`, {
    sent: false,
  });

/** Threads that libuv keeps, unless the environment says otherwise, and those of them that it gives to look-ups: half of them, rounded up. */
const threads = Number(process.env.UV_THREADPOOL_SIZE) || 4;

/** The names of this process, looked up by the system: its file of hosts and its search list count. */
export const systemNames: Resolve = createNames({
  resolve: (host) => lookup(host, { all: true, order: "verbatim" }),
  atATime: Math.max(2, Math.ceil(Math.min(threads, 1_024) / 2)),
});
