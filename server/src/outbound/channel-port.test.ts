import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasDovecot, type ImapServer, startDovecot } from "../features/chat/channels/email/dovecot.fixture.ts";
import { startSmtp } from "../features/chat/channels/email/mail-servers.fixture.ts";
import { ChannelFault, type Mailbox } from "../features/chat/ports.ts";
import { selfSigned } from "./certificate.fixture.ts";
import { createChannelPort } from "./channel-port.ts";

const port = createChannelPort({ credentialKey: Buffer.alloc(32), outboundAllow: [] });
afterAll(() => port.close());

const mail = (n: number, text = "Hello"): string =>
  `From: ana@example.com\nTo: help@example.org\nMessage-ID: <${n}@example.com>\nSubject: ${n}\n\n${text}\n`;
const fault = async (work: Promise<unknown>): Promise<ChannelFault> => {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ChannelFault);
  return error as ChannelFault;
};

if (!hasDovecot) console.warn("No IMAP server is installed (apt-get install dovecot-imapd): mailboxes are not tested.");

describe.runIf(hasDovecot)("a mailbox", () => {
  let server: ImapServer;
  let mailbox: Mailbox;
  beforeAll(async () => {
    server = await startDovecot();
    const { port, password } = server;
    mailbox = { host: "127.0.0.1", port, security: "none", user: "help", password, mailbox: "INBOX" };
  });
  afterAll(() => server.close());

  /** Reads on, and returns the subjects of what was read. */
  async function read(
    from: { uidvalidity: string; uid: number },
    more: Partial<{ most: number; refuse: string; onNews: () => void }> = {},
  ) {
    const seen: string[] = [];
    const { most = 50, refuse, onNews = () => undefined } = more;
    const since = new Date(Date.now() - 86_400_000);
    const done = await port.readMailbox("development", "help", mailbox, {
      from,
      since,
      mostBytes: 10_000,
      mostMessages: most,
      onNews,
      take: async ({ source }) => {
        const subject =
          source === null ? "too large" : (/Subject: (.*)\r/.exec(Buffer.from(source).toString())?.[1] as string);
        if (subject === refuse) throw new Error("not now");
        seen.push(subject);
      },
    });
    return { ...done, seen };
  }

  it("is read on from where it was read before, oldest first, and stops at what cannot be taken", async () => {
    await server.deliver("help", mail(1));
    const end = await port.checkMailbox("development", mailbox);
    await server.deliver("help", mail(2), mail(3), mail(4, "x".repeat(20_000)), mail(5));
    const stopped = await read(end, { refuse: "3" });
    expect([stopped.seen, (stopped.stopped as Error).message]).toEqual([["2"], "not now"]);
    const some = await read(stopped.position, { most: 2 });
    expect([some.seen, some.more]).toEqual([["3", "too large"], true]);
    const rest = await read(some.position);
    expect([rest.seen, rest.more, rest.stopped]).toEqual([["5"], false, null]);
    expect((await read(rest.position)).seen).toEqual([]);
  });

  it("is read again where its server has numbered its messages again", async () => {
    const { uid } = await port.checkMailbox("development", mailbox);
    expect((await read({ uidvalidity: "1", uid })).seen).toContain("5");
  });

  it("tells of a message that comes while nobody reads", async () => {
    const news = Promise.withResolvers<void>();
    const { position } = await read(await port.checkMailbox("development", mailbox), { onNews: news.resolve });
    await server.deliver("help", mail(6));
    await news.promise;
    expect((await read(position)).seen).toEqual(["6"]);
  });

  it("says which setting is wrong", async () => {
    const wrong = async (changes: Partial<Mailbox>) => {
      const { about, code, detail } = await fault(port.checkMailbox("development", { ...mailbox, ...changes }));
      expect(detail).not.toContain(server.password);
      return [about, code];
    };
    expect(await wrong({ password: "wrong" })).toEqual(["credentials", "unauthorized"]);
    expect(await wrong({ mailbox: "Nowhere" })).toEqual(["mailbox", "mailbox_not_found"]);
    expect(await wrong({ security: "starttls" })).toEqual(["server", "tls_failed"]);
    expect(await wrong({ port: 9 })).toEqual(["server", "connection_failed"]);
  });
});

describe("the way to servers of mail", () => {
  const server = { host: "127.0.0.1", port: 9, security: "none", user: "u", password: "p" } as const;

  it("leads to public addresses only, and to this machine's own in development", async () => {
    const refused = async (environment: "production" | "development", host: string, security: "none" | "tls") =>
      (await fault(port.checkSender(environment, { ...server, host, security }))).code;
    expect(await refused("production", "127.0.0.1", "tls")).toBe("address_refused");
    expect(await refused("development", "10.0.0.1", "tls")).toBe("address_refused");
    expect(await refused("production", "8.8.8.8", "none")).toBe("https_required");
    expect(await refused("development", "127.0.0.1", "none")).toBe("connection_failed");
  });
});

describe("the encryption of a mail server", () => {
  const tls = selfSigned("mail.example");
  const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
  const trusting = createChannelPort({ credentialKey: Buffer.alloc(32), outboundAllow: [], resolve, ca: tls.cert });
  const usual = createChannelPort({ credentialKey: Buffer.alloc(32), outboundAllow: [], resolve });

  it("has to be offered for `starttls`, with a certificate for the name that somebody vouches for", async () => {
    const [encrypted, plain] = [await startSmtp(tls), await startSmtp()];
    const { port, password } = encrypted;
    const server = { host: "mail.example", port, security: "starttls", user: "help", password } as const;
    await trusting.checkSender("development", server);
    expect((await fault(usual.checkSender("development", server))).code).toBe("tls_failed");
    expect((await fault(trusting.checkSender("development", { ...server, host: "else.example" }))).code).toBe(
      "tls_failed",
    );
    expect((await fault(trusting.checkSender("development", { ...server, port: plain.port }))).code).toBe("tls_failed");
    expect((await fault(trusting.checkSender("development", { ...server, password: "wrong" }))).about).toBe(
      "credentials",
    );
    await Promise.all([encrypted.close(), plain.close()]);
  });

  it.runIf(hasDovecot)("is held for mailboxes alike", async () => {
    const server = await startDovecot(tls);
    const { port, password } = server;
    const mailbox = {
      host: "mail.example",
      port,
      security: "starttls",
      user: "help",
      password,
      mailbox: "INBOX",
    } as const;
    await trusting.checkMailbox("development", mailbox);
    expect((await fault(usual.checkMailbox("development", mailbox))).code).toBe("tls_failed");
    expect((await fault(trusting.checkMailbox("development", { ...mailbox, host: "else.example" }))).code).toBe(
      "tls_failed",
    );
    await server.close();
  });
});
