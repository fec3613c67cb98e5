import { ImapFlow } from "imapflow";
import {
  ChannelFault,
  type Mailbox,
  type MailboxPosition,
  type ReadMailbox,
  type StoredMail,
} from "../features/chat/ports.ts";
import { checkedServer, patience, type Reaching, tlsOf, withoutSecrets } from "./mail-connection.ts";

/** A connection to a mailbox, signed in and with the mailbox open to be read only. */
export class OpenMailbox {
  readonly #client: ImapFlow;
  readonly #mailbox: Mailbox;
  #news: () => void = () => undefined;

  private constructor(client: ImapFlow, mailbox: Mailbox) {
    this.#client = client;
    this.#mailbox = mailbox;
    client.on("exists", () => this.#news());
  }

  static async open(reaching: Reaching, mailbox: Mailbox, mostBytes: number): Promise<OpenMailbox> {
    const checked = await checkedServer(reaching, mailbox);
    const { port, security, user, password } = mailbox;
    const client = new ImapFlow({
      host: checked.host,
      port,
      secure: security === "tls",
      auth: { user, pass: password },
      logger: false,
      ...(security === "tls" ? {} : { doSTARTTLS: security === "starttls" }),
      servername: checked.servername,
      tls: tlsOf(checked),
      autoIdleDelay: 1_000,
      connectionTimeout: patience.connect,
      greetingTimeout: patience.greet,
      socketTimeout: patience.silence,
      maxLineLength: 1_048_576,
      maxLiteralSize: mostBytes + 65_536,
      maxResponseSize: mostBytes + 2_097_152,
    });
    client.on("error", () => undefined); // whoever waits for an answer hears of it
    try {
      await client.connect();
      await client.mailboxOpen(mailbox.mailbox, { readOnly: true });
      return new OpenMailbox(client, mailbox);
    } catch (cause) {
      client.close();
      throw mailboxFault(cause, mailbox);
    }
  }

  get isUsable(): boolean {
    return this.#client.usable;
  }

  /** Where the mailbox ends. */
  async end(): Promise<MailboxPosition> {
    const status = await this.#client.status(this.#mailbox.mailbox, { uidNext: true, uidValidity: true });
    if (!status) throw new ChannelFault("mailbox_unusable", "The server does not say where the mailbox ends.");
    return { uidvalidity: String(status.uidValidity), uid: Number(status.uidNext) - 1 };
  }

  /** Reads what came behind a position, oldest first. */
  async read({ from, since, mostBytes, mostMessages, take }: ReadMailbox) {
    try {
      const end = await this.end();
      const renumbered = end.uidvalidity !== from.uidvalidity;
      const found = renumbered ? await this.#uids({ since }) : await this.#behind(from.uid, end.uid);
      const uids = found.slice(0, mostMessages);
      let position: MailboxPosition = { uidvalidity: end.uidvalidity, uid: renumbered ? 0 : from.uid };
      for (const uid of uids) {
        const mail = await this.#fetch(uid, mostBytes);
        try {
          if (mail) await take(mail);
        } catch (stopped) {
          return { position, more: false, stopped };
        }
        position = { ...position, uid };
      }
      const more = found.length > uids.length;
      return { position: more ? position : end, more, stopped: null };
    } catch (cause) {
      throw mailboxFault(cause, this.#mailbox);
    }
  }

  /** Listens whenever nothing else is asked of the connection, which looks by itself whether the server is still there. */
  listen(onNews: () => void): void {
    this.#news = onNews;
    this.#client.idle().catch(() => undefined);
  }

  #behind = async (uid: number, end: number): Promise<number[]> =>
    end <= uid ? [] : (await this.#uids({ uid: `${uid + 1}:*` })).filter((one) => one > uid);

  async #uids(query: object): Promise<number[]> {
    const found = await this.#client.search(query, { uid: true });
    return (found || []).toSorted((a, b) => a - b);
  }

  async #fetch(uid: number, mostBytes: number): Promise<StoredMail | null> {
    const known = await this.#client.fetchOne(String(uid), { size: true }, { uid: true });
    if (!known) return null; // moved away meanwhile
    if ((known.size ?? 0) > mostBytes) return { uid, source: null };
    const mail = await this.#client.fetchOne(String(uid), { source: true }, { uid: true });
    return mail ? { uid, source: mail.source ?? null } : null;
  }

  close(): void {
    this.#news = () => undefined;
    this.#client.close();
  }
}

function mailboxFault(cause: unknown, mailbox: Mailbox): unknown {
  if (cause instanceof ChannelFault) return cause;
  const {
    code = "",
    authenticationFailed,
    responseText = "",
    serverResponseCode = "",
  } = cause as Record<string, string> & {
    authenticationFailed?: boolean;
  };
  const { host } = mailbox;
  const said = withoutSecrets(responseText, mailbox);
  if (authenticationFailed)
    return new ChannelFault("unauthorized", `\`${host}\` does not accept the user and password of IMAP.`, {
      about: "credentials",
      cause,
    });
  if (serverResponseCode === "NONEXISTENT" || /doesn't exist|does not exist|no such mailbox/i.test(said))
    return new ChannelFault("mailbox_not_found", `\`${host}\` has no mailbox \`${mailbox.mailbox}\`.`, {
      about: "mailbox",
      cause,
    });
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code) || /STARTTLS/i.test((cause as Error).message))
    return new ChannelFault(
      "tls_failed",
      `\`${host}\` offers no encryption that can be trusted${code ? ` (${code})` : ""}.`,
      {
        cause,
      },
    );
  const why = said || code;
  return new ChannelFault(
    "connection_failed",
    `\`${host}\` could not be read by IMAP, or broke off${why ? ` (${why})` : ""}.`,
    {
      cause,
    },
  );
}
