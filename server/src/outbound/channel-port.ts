import { ChannelFault, type ChannelPort, type Mailbox, type ReadMailbox } from "../features/chat/ports.ts";
import type { Environment } from "../kernel/principal.ts";
import type { Tracer } from "../kernel/tracing.ts";
import { sentence } from "./errors.ts";
import { createGuard } from "./guard.ts";
import { createOutbound, type Outbound, OutboundError } from "./index.ts";
import type { Reaching } from "./mail-connection.ts";
import type { OpenMailbox } from "./mailbox.ts";
import { systemNames } from "./names.ts";
import type { Resolve } from "./types.ts";

export interface ChannelPortParts {
  readonly credentialKey: Buffer;
  /** What the operator opened besides public addresses. */
  readonly outboundAllow: readonly string[];
  readonly servesProduction?: (() => boolean) | undefined;
  readonly tracer?: Tracer | null;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  /** Certificates, in PEM, of authorities of mail servers to trust instead of the well-known ones. */
  readonly ca?: string;
}

const postMs = 15_000;
/** A kept connection to a mailbox that nobody has read by for so long is closed (milliseconds). */
const keptMs = 2 * 3_600_000;

/** Joins channels of conversations with the way out. What speaks mail is loaded with its first use. */
export function createChannelPort(parts: ChannelPortParts): ChannelPort {
  const { credentialKey, outboundAllow: allow, servesProduction, tracer = null, resolve = systemNames, ca } = parts;
  const guardOf = (environment: Environment) => createGuard(environment, allow, servesProduction);
  const reaching = (environment: Environment): Reaching => ({ guard: guardOf(environment), resolve, ca });
  const outbounds = new Map<Environment, Outbound>();
  const outboundOf = (environment: Environment): Outbound => {
    const known =
      outbounds.get(environment) ?? createOutbound({ environment, allow, servesProduction, tracer, resolve });
    outbounds.set(environment, known);
    return known;
  };
  const mailboxes = new KeptMailboxes();
  return {
    credentialKey,
    checkUrl(environment, url) {
      try {
        guardOf(environment).checkUrl(url);
        return null;
      } catch (error) {
        if (error instanceof OutboundError) return { code: error.code, detail: error.message };
        throw error;
      }
    },
    post: (environment, url, token, body) => post(outboundOf(environment), url, token, body),
    async checkMailbox(environment, mailbox) {
      const { OpenMailbox } = await import("./mailbox.ts");
      const open = await OpenMailbox.open(reaching(environment), mailbox, 0);
      return open.end().finally(() => open.close());
    },
    readMailbox: (environment, key, mailbox, reading) =>
      mailboxes.read(reaching(environment), `${environment} ${key}`, mailbox, reading),
    leaveMailbox: (environment, key) => mailboxes.drop(`${environment} ${key}`),
    checkSender: async (environment, server) =>
      (await import("./mail-sender.ts")).checkSender(reaching(environment), server),
    send: async (environment, server, mail) =>
      (await import("./mail-sender.ts")).sendMail(reaching(environment), server, mail),
    async close() {
      mailboxes.close();
      await Promise.all([...outbounds.values()].map((outbound) => outbound.close()));
    },
  };
}

async function post(outbound: Outbound, url: string, token: string, body: unknown) {
  try {
    const answered = await outbound.send({
      url,
      method: "POST",
      timeoutMs: postMs,
      secretHeaders: { authorization: `Bearer ${token}` },
      headers: { "content-type": "application/json; charset=utf-8" },
      body: JSON.stringify(body),
    });
    return { status: answered.status, headers: answered.headers, body: jsonOf(answered.body) };
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    throw new ChannelFault(cause.code, sentence(cause.message), { cause });
  }
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return null;
  }
}

interface Kept {
  readonly mailbox: Mailbox;
  readonly open: OpenMailbox;
  readonly timer: NodeJS.Timeout;
}

/** Connections that stay between two readings, to hear of messages at once. A mailbox is read by one reader at a time. */
class KeptMailboxes {
  readonly #kept = new Map<string, Kept>();
  readonly #reading = new Map<string, Promise<unknown>>();
  #closed = false;

  read(reaching: Reaching, key: string, mailbox: Mailbox, reading: ReadMailbox) {
    const before = this.#reading.get(key) ?? Promise.resolve();
    const turn = before.then(
      () => this.#read(reaching, key, mailbox, reading),
      () => this.#read(reaching, key, mailbox, reading),
    );
    this.#reading.set(key, turn);
    const done = () => void (this.#reading.get(key) === turn && this.#reading.delete(key));
    turn.then(done, done);
    return turn;
  }

  async #read(reaching: Reaching, key: string, mailbox: Mailbox, reading: ReadMailbox) {
    const open = await this.#open(reaching, key, mailbox, reading.mostBytes);
    try {
      const read = await open.read(reading);
      open.listen(reading.onNews);
      return read;
    } catch (error) {
      this.drop(key);
      throw error;
    }
  }

  async #open(reaching: Reaching, key: string, mailbox: Mailbox, mostBytes: number): Promise<OpenMailbox> {
    const known = this.#kept.get(key);
    if (known?.open.isUsable && JSON.stringify(known.mailbox) === JSON.stringify(mailbox)) {
      known.timer.refresh();
      return known.open;
    }
    this.drop(key);
    const { OpenMailbox } = await import("./mailbox.ts");
    const open = await OpenMailbox.open(reaching, mailbox, mostBytes);
    if (this.#closed) open.close();
    const timer = setTimeout(() => this.drop(key), keptMs).unref();
    this.#kept.set(key, { mailbox, open, timer });
    return open;
  }

  drop(key: string): void {
    const known = this.#kept.get(key);
    if (!known) return;
    clearTimeout(known.timer);
    known.open.close();
    this.#kept.delete(key);
  }

  close(): void {
    this.#closed = true;
    for (const key of [...this.#kept.keys()]) this.drop(key);
  }
}
