import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { JoinAnswer } from "./joining.ts";
import type { Sequenced, SequencerLog } from "./progress.ts";
import { type LogScope, scopeKey } from "./scope.ts";

/** Channel on which processes tell the sequencer that something committed. */
export const wakeChannel = "aos_audit";
/** Channel on which a process that does not know a log asks for its head. */
export const askChannel = "aos_audit_ask";
/** Channel on which the sequencer tells other processes what became visible. */
export const sequencedChannel = "aos_sequenced";

/** At most one notification per channel in so many milliseconds: its commit takes a lock that all notifying transactions share. */
const intervalMs = 20;

export interface Notifier {
  /** Tells whichever process holds the log. */
  wake(scope?: LogScope): void;
  /** Tells the other processes how far a log is. */
  sequenced(sequenced: Sequenced): void;
  /** Asks the holder of a log for its head. */
  ask(scope: LogScope, nonce: string): void;
  /** Answers such a question. */
  answer(scope: LogScope, answer: JoinAnswer): void;
  /** The message of another process; undefined for one of this process, or for none. */
  parseSequenced(
    payload: string | undefined,
  ): Sequenced | { readonly scope: LogScope; readonly answer: JoinAnswer } | undefined;
  /** Sends nothing more; waits for what is on its way. */
  close(): Promise<void>;
}

/** Sends notifications in transactions of their own, never inside that of a call, and collected over a short interval. */
export function createNotifier(pool: Pool, log: Pick<SequencerLog, "warn">): Notifier {
  const me = randomUUID();
  const wakes = createThrottle(pool, wakeChannel, log);
  const results = createThrottle(pool, sequencedChannel, log);
  const asks = createThrottle(pool, askChannel, log);
  return {
    wake: (scope) =>
      wakes.send(scope ? scopeKey(scope) : "", scope ? JSON.stringify([scope.organization, scope.environment]) : ""),
    sequenced: (sequenced) => results.send(scopeKey(sequenced.scope), JSON.stringify({ ...sequenced, from: me })),
    ask: (scope, nonce) => asks.send(nonce, JSON.stringify([scope.organization, scope.environment, nonce])),
    answer: (scope, answer) => results.send(answer.nonce, JSON.stringify({ scope, answer, from: me })),
    parseSequenced(payload) {
      const message = parse(payload) as (Sequenced & { from: string; answer?: JoinAnswer }) | undefined;
      if (!message || message.from === me) return undefined;
      const { scope, treeSize, eventSequence, checkpoint, epoch, answer } = message;
      return answer ? { scope, answer } : { scope, treeSize, eventSequence, checkpoint, epoch };
    },
    close: async () => void (await Promise.all([wakes.close(), results.close(), asks.close()])),
  };
}

/** The scope in a wake-up; undefined when it is meant for all logs. */
export function parseScope(payload: string | undefined): LogScope | undefined {
  const pair = parse(payload);
  if (!Array.isArray(pair)) return undefined;
  const [organization, environment] = pair;
  return typeof organization === "string" && typeof environment === "string"
    ? { organization, environment }
    : undefined;
}

/** The log and the nonce in a question. */
export function parseAsk(
  payload: string | undefined,
): { readonly scope: LogScope; readonly nonce: string } | undefined {
  const asked = parse(payload);
  const [organization, environment, nonce] = Array.isArray(asked) ? asked : [];
  if (![organization, environment, nonce].every((part) => typeof part === "string")) return undefined;
  return { scope: { organization, environment }, nonce };
}

function parse(payload: string | undefined): unknown {
  if (!payload) return undefined;
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

interface Throttle {
  /** Sends soon; of several with one key, the last. */
  send(key: string, payload: string): void;
  close(): Promise<void>;
}

function createThrottle(pool: Pool, channel: string, log: Pick<SequencerLog, "warn">): Throttle {
  const waiting = new Map<string, string>();
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> | null = null;
  let last = Number.NEGATIVE_INFINITY;
  let closed = false;
  const flush = async (): Promise<void> => {
    const payloads = [...waiting.values()];
    waiting.clear();
    last = performance.now();
    try {
      await pool.query({
        name: "aos_notify",
        text: "select pg_notify($1, p) from unnest($2::text[]) p",
        values: [channel, payloads],
      });
    } catch (error) {
      log.warn(
        `A notification on ${channel} was not sent; polling makes up for it: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  };
  const schedule = (): void => {
    if (timer || sending || closed || waiting.size === 0) return;
    const wait = Math.max(0, last + intervalMs - performance.now());
    const go = (): void => {
      timer = null;
      sending = flush().finally(() => {
        sending = null;
        schedule();
      });
    };
    if (wait === 0) go();
    else timer = setTimeout(go, wait);
  };
  return {
    send(key, payload) {
      if (closed) return;
      waiting.set(key, payload);
      schedule();
    },
    async close() {
      closed = true;
      if (timer) clearTimeout(timer);
      await sending;
    },
  };
}
