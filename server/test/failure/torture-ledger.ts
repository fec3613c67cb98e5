import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Answered, auditRefOf, clientOf } from "../client.ts";

/** The groups of operations, as the surface has them. */
export const groups = [
  "admin",
  "agents",
  "analytics",
  "approvals",
  "audit",
  "chat",
  "evaluations",
  "governance",
  "knowledge",
  "marketplace",
  "missions",
  "tasks",
  "webhooks",
  "workflows",
] as const;
export type Group = (typeof groups)[number];

/** A changing call as its client knows it. */
export interface Entry {
  readonly group: Group;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** The key of the API by which it was made. */
  readonly secret: string;
  /** Null where the method takes none: PUT and DELETE. */
  readonly key: string | null;
  /** Attempts that got no answer. */
  lost: number;
  /** Undefined: no answer came, and the client gave up. */
  answer: { readonly status: number; readonly text: string; readonly auditRef: string } | undefined;
}

export type Verdict = "ok" | "lost" | "doubled" | "stuck";
/** What must hold of an object once the installation is quiet, read through the API by its clients. */
export interface Expectation {
  readonly group: Group;
  readonly path: string;
  readonly judge: (answered: Answered) => { readonly verdict: Verdict; readonly why?: string };
}

/** The call got no answer that its client can build on. */
export class NotAcknowledged extends Error {}

/** What clients were told, kept outside of the installation. */
export class Ledger {
  readonly entries: Entry[] = [];
  /** Acknowledged reads: group and the reference of the call's record. */
  readonly reads: { readonly group: Group; readonly auditRef: string }[] = [];
  readonly expectations: Expectation[] = [];
  /** Answers that no caller should get. */
  readonly faults: string[] = [];
  /** How often each operation was refused, by group, method, status and code. */
  readonly refusals = new Map<string, number>();
  /** Ids of calls of the hook that were acknowledged. */
  readonly hooks = new Set<string>();
  /** The newest checkpoint of the audit log that a client was given. */
  checkpoint: string | null = null;

  expect(group: Group, path: string, judge: Expectation["judge"] = isThere): void {
    this.expectations.push({ group, path, judge });
  }

  /** No longer looks for what is below a path: it was deleted, or may have been. */
  forget(path: string): void {
    for (let n = this.expectations.length - 1; n >= 0; n--) {
      if (this.expectations[n]?.path.startsWith(path)) this.expectations.splice(n, 1);
    }
  }
}

export const isThere: Expectation["judge"] = ({ status, text }) =>
  status === 200 ? { verdict: "ok" } : { verdict: "lost", why: `${status} ${text.slice(0, 200)}` };

export const groupOf = (path: string): Group => {
  const name = path.split("/")[2]?.split("?")[0] ?? "";
  return name === "hooks" ? "workflows" : (name as Group);
};

export interface CallerOptions {
  readonly ledger: Ledger;
  /** An API process to call now; undefined while none is up. */
  readonly pick: () => string | undefined;
  readonly secret: string;
  readonly uniform: () => number;
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent without an Idempotency-Key. */
  readonly keyless?: boolean;
}

/** How long a client repeats a call that is not answered (milliseconds): longer than a pause and what follows it. */
const patienceMs = 90_000;

/** A client of the installation that repeats what got no answer, with the same key, at any process; now and then it gives up at once, or hangs up early. */
export class Caller {
  readonly #options: CallerOptions;

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  get ledger(): Ledger {
    return this.#options.ledger;
  }

  /** A call that changes something. Throws {@link NotAcknowledged} unless the answer is a success. */
  async change(method: string, path: string, body: unknown = {}, { headers, keyless }: Sent = {}): Promise<Answered> {
    const { ledger, secret } = this.#options;
    const key = !keyless && (method === "POST" || method === "PATCH") ? randomUUID() : null;
    const entry: Entry = {
      group: groupOf(path),
      method,
      path,
      body,
      key,
      lost: 0,
      answer: undefined,
      headers: headers ?? {},
      secret,
    };
    ledger.entries.push(entry);
    const answered = await this.#send(
      method,
      path,
      body,
      { ...headers, ...(key && { "idempotency-key": key }) },
      entry,
    );
    // Without a key, a refusal may come of an earlier attempt that took effect.
    if (answered.status < 300 || key !== null || entry.lost === 0) {
      entry.answer = { status: answered.status, text: answered.text, auditRef: auditRefOf(answered) };
    }
    return this.#judged(answered, entry.group, method, path);
  }

  /** A call that changes nothing. */
  async read(path: string, body?: unknown, group = groupOf(path)): Promise<Answered> {
    const method = body === undefined ? "GET" : "POST";
    const answered = await this.#send(method, path, body, {}, { lost: 0 });
    if (answered.status < 300) this.ledger.reads.push({ group, auditRef: auditRefOf(answered) });
    return this.#judged(answered, group, method, path);
  }

  #judged(answered: Answered, group: Group, method: string, path: string): Answered {
    const { ledger } = this.#options;
    const { status, text, body } = answered;
    if (status < 300) return answered;
    if (status >= 500) ledger.faults.push(`${method} ${path} answered ${status} ${text.slice(0, 300)}`);
    const place = path.split("?")[0]?.replace(/[a-z]{2,4}_[0-9a-z]{26}|torture-[^/]*/g, "…");
    const refusal = `${group}: ${method} ${place} ${status} ${body?.code}`;
    ledger.refusals.set(refusal, (ledger.refusals.get(refusal) ?? 0) + 1);
    throw new NotAcknowledged(`${refusal}: ${text.slice(0, 500)}`);
  }

  async #send(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
    entry: { lost: number },
  ): Promise<Answered> {
    const { pick, secret, uniform } = this.#options;
    const began = performance.now();
    const givesUp = uniform() < 0.15;
    while (performance.now() - began < patienceMs) {
      const url = pick();
      const patience = uniform() < 0.1 ? 3_000 : 40_000;
      const answered = url === undefined ? null : await attempt(url, secret, method, path, body, headers, patience);
      if (answered !== null && !isTemporary(answered)) return answered;
      if (url !== undefined && answered === null) entry.lost += 1;
      if (givesUp && entry.lost > 0) break;
      await delay(200 + uniform() * 800);
    }
    throw new NotAcknowledged(`${method} ${path} got no answer`);
  }
}

/** Says: later. Nothing was done. */
const isTemporary = ({ status, body }: Answered): boolean =>
  status === 503 || status === 429 || (status === 409 && body?.code === "idempotency_key_in_use");

/** The answer, or null where none came. */
export async function attempt(
  url: string,
  secret: string,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
  patienceMs: number,
): Promise<Answered | null> {
  const call = clientOf(url, secret, AbortSignal.timeout(patienceMs));
  try {
    return await call(method, path, { headers, ...(body !== undefined && { body }) });
  } catch (error) {
    if (error instanceof TypeError || (error as Error).name === "TimeoutError") return null;
    throw error;
  }
}
