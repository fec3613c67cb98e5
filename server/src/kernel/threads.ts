import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

// Work that would hold up every other call of the process is done in a few threads beside it.

/** A body of so many bytes is read in a thread; reading a smaller one takes less than handing it over. */
export const LARGE_BODY = 64 * 1024;

/** What a thread is asked: to call a function that a module exports. */
export interface Asked {
  readonly module: string;
  readonly name: string;
  readonly given: unknown;
}

/** What it tells. */
export type Told = { readonly value: unknown } | { readonly failed: string };

/** The work was not done within its time; its thread was ended. */
export class TookTooLong extends Error {
  override readonly name = "TookTooLong";
}

/** More work of a lane waits than may. Nothing was done; the same may be asked for again in a moment. */
export class TooManyWaiting extends Error {
  override readonly name = "TooManyWaiting";
}

/** Whose work it is: lanes take turns, so that the work of one does not hold up that of others for longer than one piece of it takes. */
export interface Lane {
  readonly name: string;
  /** Pieces of work that may be under way or wait at most; more are refused with {@link TooManyWaiting}. Left out: any number. */
  readonly most?: number;
}

interface Task extends Asked {
  readonly lane: string;
  readonly patience: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Threads of a process, started when there is work for them. */
export class Threads {
  readonly #most: number;
  /** By lane; the first one has the next turn. */
  readonly #waiting = new Map<string, Task[]>();
  /** Pieces of work by lane, those under way included. */
  readonly #pieces = new Map<string, number>();
  readonly #idle: Thread[] = [];
  /** Those that live. */
  readonly #all = new Set<Thread>();
  #busy = 0;
  #closed = false;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Calls the function `name` of a module in a thread. What is given and what it returns are copied. Rejects with {@link TookTooLong} after `patience`
   * milliseconds of work; the time in which the call waits for a thread does not count.
   */
  async run<T>(module: URL, name: string, given: unknown, patience = 10_000, of: Lane = { name: "" }): Promise<T> {
    if (this.#closed) throw new Error("the threads are closed");
    const lane = of.name;
    const pieces = this.#pieces.get(lane) ?? 0;
    if (pieces >= (of.most ?? Number.POSITIVE_INFINITY)) throw new TooManyWaiting(`${pieces} pieces of work wait`);
    this.#pieces.set(lane, pieces + 1);
    try {
      return await new Promise<T>((resolve, reject) => {
        const task = { module: module.href, name, given, patience, lane, reject };
        const waiting = this.#waiting.get(lane) ?? [];
        this.#waiting.set(lane, [...waiting, { ...task, resolve: resolve as (value: unknown) => void }]);
        this.#next();
      });
    } finally {
      const left = (this.#pieces.get(lane) ?? 1) - 1;
      if (left === 0) this.#pieces.delete(lane);
      else this.#pieces.set(lane, left);
    }
  }

  /** Ends the threads. What waits or is being worked at is rejected, and so is what comes later. */
  async close(): Promise<void> {
    this.#closed = true;
    const waiting = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new Error("the threads are closed"));
    await Promise.all([...this.#all].map((thread) => thread.end()));
  }

  #next(): void {
    if (this.#busy >= this.#most) return;
    const task = this.#take();
    if (!task) return;
    const thread = this.#idle.pop() ?? new Thread();
    this.#all.add(thread);
    this.#busy++;
    thread.work(task, (alive) => {
      this.#busy--;
      if (alive) this.#idle.push(thread);
      else this.#all.delete(thread);
      this.#next();
    });
  }

  /** The next piece of work, of the lane whose turn it is. */
  #take(): Task | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const [lane, [task, ...rest]] = first;
    this.#waiting.delete(lane);
    if (rest.length > 0) this.#waiting.set(lane, rest);
    return task;
  }
}

/** One thread with at most one task. It keeps no process from ending while it has none. */
class Thread {
  readonly #worker = new Worker(new URL("./thread-entry.ts", import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: 24 },
  });
  #end: ((alive: boolean, settle: (task: Task) => void) => void) | null = null;

  constructor() {
    this.#worker.on("message", (told: Told) => {
      this.#end?.(true, ({ resolve, reject }) =>
        "failed" in told ? reject(new Error(`in a thread: ${told.failed}`)) : resolve(told.value),
      );
    });
    this.#worker.on("error", (error) => this.#end?.(false, ({ reject }) => reject(error as Error)));
    this.#worker.on("exit", (code) =>
      this.#end?.(false, ({ reject }) => reject(new Error(`a thread ended with ${code}`))),
    );
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  work(task: Task, free: (alive: boolean) => void): void {
    const { module, name, given, patience } = task;
    const timer = setTimeout(
      () => this.#end?.(false, ({ reject }) => reject(new TookTooLong(`${name} took longer than ${patience} ms`))),
      patience,
    );
    this.#end = (alive, settle) => {
      this.#end = null;
      clearTimeout(timer);
      this.#worker.unref();
      if (!alive) void this.#worker.terminate();
      settle(task);
      free(alive);
    };
    this.#worker.ref();
    this.#worker.postMessage({ module, name, given } satisfies Asked);
  }
}

/** Of each processor but one, which the calls have. */
const threads = new Threads(Math.min(4, Math.max(1, availableParallelism() - 1)));

/** Calls a function of a module in one of the threads of this process: see {@link Threads.run}. */
export const inThread: Threads["run"] = (...asked) => threads.run(...asked);
