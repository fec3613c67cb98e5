import type { Environment } from "../../kernel/principal.ts";

/** Why a server of a channel could not be used. `detail` is a sentence for people and holds no secret. */
export class ChannelFault extends Error {
  override readonly name = "ChannelFault";
  readonly code: string;
  readonly detail: string;
  /** Which setting is wrong. */
  readonly about: "server" | "credentials" | "mailbox" | "message";
  /** What was refused will never be taken. */
  readonly permanent: boolean;
  /** How long to wait before the next attempt, as the server asks (milliseconds). */
  readonly retryAfterMs: number | null;
  constructor(
    code: string,
    detail: string,
    more: {
      readonly about?: ChannelFault["about"];
      readonly permanent?: boolean;
      readonly retryAfterMs?: number | null;
      readonly cause?: unknown;
    } = {},
  ) {
    const { about = "server", permanent = false, retryAfterMs = null, cause } = more;
    super(`${code}: ${detail}`, cause === undefined ? {} : { cause });
    this.code = code;
    this.detail = detail;
    this.about = about;
    this.permanent = permanent;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly security: "tls" | "starttls" | "none";
  readonly user: string;
  readonly password: string;
}

export interface Mailbox extends MailServer {
  readonly mailbox: string;
}

/** Up to where a mailbox was read (RFC 9051, section 2.3.1.1). */
export interface MailboxPosition {
  readonly uidvalidity: string;
  readonly uid: number;
}

export interface StoredMail {
  readonly uid: number;
  /** Null: larger than `mostBytes`. */
  readonly source: Uint8Array | null;
}

export interface ReadMailbox {
  readonly from: MailboxPosition;
  /** Where the server has numbered its messages anew: those that came since then are read again. */
  readonly since: Date;
  readonly mostBytes: number;
  readonly mostMessages: number;
  /** Called for each message, oldest first. What it throws ends the reading there. */
  take(mail: StoredMail): Promise<void>;
  /** Called once the server tells of a message, as long as the connection is kept. */
  onNews(): void;
}

export interface OutgoingMail {
  readonly from: { readonly name: string; readonly address: string };
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** With its angle brackets. */
  readonly messageId: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
}

export interface PostedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: no JSON. */
  readonly body: unknown;
}

/** What channels need of the machines: the way to servers of mail and of Slack, through the guard of the environment. Throws ChannelFault. */
export interface ChannelPort {
  /** Seals secrets. */
  readonly credentialKey: Buffer;
  /** What is wrong with an address by its text alone. */
  checkUrl(environment: Environment, url: string): { readonly code: string; readonly detail: string } | null;
  post(environment: Environment, url: string, token: string, body: unknown): Promise<PostedAnswer>;
  /** Signs in and returns where the mailbox ends. */
  checkMailbox(environment: Environment, mailbox: Mailbox): Promise<MailboxPosition>;
  /** Reads on, and keeps the connection under `key` to hear of messages. Returns up to where it has read, also where `take` threw: then as `stopped`. */
  readMailbox(
    environment: Environment,
    key: string,
    mailbox: Mailbox,
    reading: ReadMailbox,
  ): Promise<{ readonly position: MailboxPosition; readonly more: boolean; readonly stopped: unknown }>;
  /** Ends the connection that is kept under a key. */
  leaveMailbox(environment: Environment, key: string): void;
  /** Signs in at a server that sends. */
  checkSender(environment: Environment, server: MailServer): Promise<void>;
  send(environment: Environment, server: MailServer, mail: OutgoingMail): Promise<void>;
  close(): Promise<void>;
}
