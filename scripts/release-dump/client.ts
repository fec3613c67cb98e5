import { setTimeout as delay } from "node:timers/promises";
import { clientOf } from "../../server/test/client.ts";
import type { KeptCall } from "../../server/test/upgrade/kept.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape, of several releases
type Body = any;

/** Waits for a condition for up to five minutes; seldom looks, because each look is a record of the dump. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const began = performance.now(); !(await holds()); await delay(500))
    if (performance.now() - began > 300_000) throw new Error(`Not within five minutes: ${what}`);
}

/** Calls a release, and keeps what was called under an Idempotency-Key. */
export class ReleaseClient {
  readonly carriedOut: KeptCall[] = [];
  readonly refused: KeptCall[] = [];
  readonly keys: Record<string, string> = {};
  readonly #url: string;
  #made = 0;

  constructor(url: string, admin: string) {
    this.#url = url;
    this.keys.admin = admin;
  }

  /** A call without an Idempotency-Key, which has to succeed. */
  async call(caller: string, method: string, path: string, body?: object): Promise<Body> {
    const answered = await this.answer(caller, method, path, body);
    if (answered.status >= 300) throw new Error(`${method} ${path} was answered ${answered.status}: ${answered.text}`);
    return answered.body;
  }

  answer(caller: string, method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    return clientOf(this.#url, this.keys[caller] as string)(method, path, { body, headers });
  }

  /** A call under a new Idempotency-Key, which has to succeed. `secret`: the member of the answer that is shown once. */
  async once(caller: string, path: string, body: object, { method = "POST", secret = "" } = {}): Promise<Body> {
    const { status, text, body: answer, call } = await this.#keyed(caller, method, path, body);
    if (status >= 300) throw new Error(`${method} ${path} was answered ${status}: ${text}`);
    this.carriedOut.push({ ...call, ...(secret !== "" && { secret }) });
    return answer;
  }

  /** A call under a new Idempotency-Key that has to be refused. */
  async refuse(caller: string, path: string, body: object): Promise<void> {
    const { status, text, call } = await this.#keyed(caller, "POST", path, body);
    if (status < 400) throw new Error(`POST ${path} was not refused: ${text}`);
    this.refused.push(call);
  }

  async #keyed(caller: string, method: string, path: string, body: object) {
    const idempotencyKey = `kept-${++this.#made}`;
    const {
      status,
      text,
      body: answer,
    } = await this.answer(caller, method, path, body, {
      "idempotency-key": idempotencyKey,
    });
    const call: KeptCall = { caller, method, path, body, idempotencyKey, status, answer: text };
    return { status, text, body: answer, call };
  }
}
