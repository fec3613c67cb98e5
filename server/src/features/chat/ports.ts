import { definePort } from "../../kernel/port.ts";
import type { Environment } from "../../kernel/principal.ts";
import type { ChatEventsPort } from "./conversations/feed.ts";

/** `detail` is for people and holds no secret. */
export class ChannelFault extends Error {
  override readonly name = "ChannelFault";
  readonly code: string;
  readonly detail: string;
  readonly about: "server" | "credentials" | "mailbox" | "message";
  /** A retry will not help. */
  readonly permanent: boolean;
  /** As the server asks (milliseconds). */
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
  /** After the server renumbered its messages, those since then are read again. */
  readonly since: Date;
  readonly mostBytes: number;
  readonly mostMessages: number;
  /** Oldest first; what it throws ends the reading there. */
  take(mail: StoredMail): Promise<void>;
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

/** Mail servers and Slack, through the environment's guard. Throws ChannelFault. */
export interface ChannelPort {
  readonly credentialKey: Buffer;
  /** By its text alone. */
  checkUrl(environment: Environment, url: string): { readonly code: string; readonly detail: string } | null;
  post(environment: Environment, url: string, token: string, body: unknown): Promise<PostedAnswer>;
  /** Returns where the mailbox ends. */
  checkMailbox(environment: Environment, mailbox: Mailbox): Promise<MailboxPosition>;
  /** Keeps the connection under `key` for news. `stopped` is what `take` threw. */
  readMailbox(
    environment: Environment,
    key: string,
    mailbox: Mailbox,
    reading: ReadMailbox,
  ): Promise<{ readonly position: MailboxPosition; readonly more: boolean; readonly stopped: unknown }>;
  leaveMailbox(environment: Environment, key: string): void;
  checkSender(environment: Environment, server: MailServer): Promise<void>;
  send(environment: Environment, server: MailServer, mail: OutgoingMail): Promise<void>;
  close(): Promise<void>;
}
export const channelPort = definePort<ChannelPort>("channels");

export const chatEventsPort = definePort<ChatEventsPort>("events of conversations");
