import { randomBytes } from "node:crypto";
import { type Ed25519Signer, verifierKey } from "@aos/proof";
import { openHead } from "./heads.ts";
import { type LogMac, sameMac } from "./mac.ts";
import type { Pins } from "./pins.ts";
import { type LogScope, scopeKey } from "./scope.ts";

/** How long a process with an empty folder waits for one that knows the log, before it takes the log over and finds that it cannot sign it (milliseconds). */
const patienceMs = 3_000;
/** How often it asks (milliseconds). */
const everyMs = 500;

/** A head that the holder of a log tells a process that joins: fresh by its nonce, and under our MAC, so that the database cannot answer. */
export interface JoinAnswer {
  readonly nonce: string;
  readonly checkpoint: string;
  /** Base64. */
  readonly mac: string;
}

/** The answer of a log's holder. */
export function answerJoin(mac: LogMac, scope: LogScope, nonce: string, checkpoint: string): JoinAnswer {
  return { nonce, checkpoint, mac: mac.joining(scope, nonce, checkpoint).toString("base64") };
}

/** A process that knows nothing of a log asks one that does, once, and pins what it hears. */
export class Joining {
  readonly #pins: Pins;
  readonly #mac: LogMac;
  readonly #ask: (scope: LogScope, nonce: string) => void;
  readonly #pinned = new Set<string>();
  readonly #asked = new Map<string, { readonly nonce: string; readonly since: number; last: number }>();

  constructor(pins: Pins, mac: LogMac, ask: (scope: LogScope, nonce: string) => void) {
    this.#pins = pins;
    this.#mac = mac;
    this.#ask = ask;
  }

  /** Whether this process still waits to hear of a log. It does not wait for one that is empty, or that nobody answers for. */
  async waits(scope: LogScope, isEmpty: () => Promise<boolean>): Promise<boolean> {
    const key = scopeKey(scope);
    if (this.#pinned.has(key)) return false;
    const asked = this.#asked.get(key);
    if ((await this.#pins.read(scope)) !== null || (!asked && (await isEmpty()))) {
      this.#pinned.add(key);
      return false;
    }
    const now = performance.now();
    const { nonce, since, last } = asked ?? {
      nonce: randomBytes(16).toString("hex"),
      since: now,
      last: Number.NEGATIVE_INFINITY,
    };
    if (now - last >= everyMs) {
      this.#asked.set(key, { nonce, since, last: now });
      this.#ask(scope, nonce);
    }
    return now - since < patienceMs;
  }

  /** Begins to wait again. */
  askAgain(scope: LogScope): void {
    this.#asked.delete(scopeKey(scope));
  }

  /** Takes an answer to a question of this process; pins the head that it names. */
  async take(scope: LogScope, { nonce, checkpoint, mac }: JoinAnswer, signer: Ed25519Signer): Promise<void> {
    const asked = this.#asked.get(scopeKey(scope));
    if (asked?.nonce !== nonce || !sameMac(Buffer.from(mac, "base64"), this.#mac.joining(scope, nonce, checkpoint)))
      return;
    const key = verifierKey(checkpoint.slice(0, checkpoint.indexOf("\n")), signer.publicKey);
    await openHead(checkpoint, key);
    if ((await this.#pins.read(scope)) === null) await this.#pins.save(scope, { key, checkpoint });
  }
}
