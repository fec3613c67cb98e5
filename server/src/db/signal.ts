import { randomUUID } from "node:crypto";
import type pg from "pg";
import { createListener } from "./listener.ts";

export interface SignalParts {
  readonly pool: pg.Pool;
  /** An identifier of PostgreSQL. */
  readonly channel: string;
  readonly report: (error: unknown) => void;
  /** How often a connection that was lost is opened again (milliseconds, 1,000 by default). */
  readonly everyMs?: number;
}

/** Tells this process at once, and others a moment later, that something was stored. A hint: what is stored is the truth, and whoever listens looks there. */
export interface Signal {
  raise(): void;
  /** Calls back at each signal; returns the function that ends it. Listens to other processes from the first callback on. */
  on(callback: () => void): () => void;
  stop(): Promise<void>;
}

/** At most one notification in so many milliseconds: its commit takes a lock that all notifying transactions share. */
const intervalMs = 20;

export function createSignal({ pool, channel, report, everyMs = 1_000 }: SignalParts): Signal {
  const me = randomUUID();
  const callbacks = new Set<() => void>();
  const tell = (): void => {
    for (const callback of callbacks) callback();
  };
  const heard = (from: string): void => {
    if (from !== me) tell();
  };
  const listener = createListener({ pool, channel, heard, began: tell });
  const ensure = (): void => void listener.ensure().catch(report);
  let [waiting, stopped, last] = [false, false, Number.NEGATIVE_INFINITY];
  let listening: NodeJS.Timeout | null = null;
  let sending: Promise<unknown> = Promise.resolve();
  const send = (): void => {
    [waiting, last] = [false, performance.now()];
    sending = pool.query({ name: "aos_signal", text: "select pg_notify($1, $2)", values: [channel, me] }).catch(report);
  };
  return {
    raise() {
      tell();
      if (waiting || stopped) return;
      waiting = true;
      setTimeout(send, Math.max(0, last + intervalMs - performance.now()));
    },
    on(callback) {
      callbacks.add(callback);
      if (!listening && !stopped) {
        listening = setInterval(ensure, everyMs).unref();
        ensure();
      }
      return () => void callbacks.delete(callback);
    },
    async stop() {
      stopped = true;
      if (listening) clearInterval(listening);
      await sending;
      listener.stop();
    },
  };
}
