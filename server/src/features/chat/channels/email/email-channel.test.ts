import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { changeFacts } from "../../../tasks/runs/testing.ts";
import { answering, messagesOf } from "../../turns/turns.fixture.ts";
import { hasDovecot, type ImapServer, startDovecot } from "./dovecot.fixture.ts";
import { type SmtpServer, startSmtp } from "./mail-servers.fixture.ts";

const app = useApp();
const machines = useWorkerProcess(app);
const patience = { timeout: 30_000, interval: 100 };

if (!hasDovecot) console.warn("No IMAP server is installed (apt-get install dovecot-imapd): e-mail is not tested.");

describe.runIf(hasDovecot)("a channel of e-mail", () => {
  let imap: ImapServer;
  let smtp: SmtpServer;
  let worker: Awaited<ReturnType<typeof machines.worker>>;
  beforeAll(async () => {
    [imap, smtp] = [await startDovecot(), await startSmtp()];
    await imap.deliver("help", mail("old@example.com", "This was there before."));
    const { status, text } = await set();
    expect(status, text).toBe(200);
    worker = await machines.worker({ model: answering("It arrives on **Tuesday**.") });
    machines.sweeper.start();
  });
  afterAll(async () => {
    await machines.sweeper.stop();
    await worker?.stop(0);
    expect(machines.faults).toEqual([]);
    await Promise.all([imap?.close(), smtp?.close()]);
  });

  const config = () => ({
    address: "help@example.org",
    sender_name: "Example",
    poll_seconds: 5,
    trust_authentication_results: "mx.example.org",
    imap: { host: "127.0.0.1", port: imap.port, security: "none", user: "help" },
    smtp: { host: "127.0.0.1", port: smtp.port, security: "none" },
  });
  const set = (changes: object = {}, secret: object | null = {}) => {
    const passwords = { imap_password: imap.password, smtp_password: smtp.password, ...secret };
    const body = { kind: "email", agent: "sales", config: { ...config(), ...changes } };
    return app.call("PUT", "/v1/chat/channels/help", { body: { ...body, ...(secret && { secret: passwords }) } });
  };
  const channel = async () => (await app.call("GET", "/v1/chat/channels")).body.data[0];
  function mail(
    id: string,
    text: string,
    { from = "ana@example.com", dmarc = true, more = [] as string[] } = {},
  ): string {
    const verified = `Authentication-Results: mx.example.org; dmarc=pass header.from=${from.split("@")[1]}`;
    const headers = [
      `From: Ana <${from}>`,
      "To: help@example.org",
      `Message-ID: <${id}>`,
      "Subject: My order",
      ...more,
    ];
    return `${[...(dmarc ? [verified] : []), ...headers].join("\n")}\n\n${text}\n`;
  }
  /** Waits until so many replies were handed in; returns the last. */
  const reply = (count: number) =>
    vi.waitFor(() => {
      expect(smtp.mails.length).toBeGreaterThanOrEqual(count);
      return smtp.mails[count - 1] as SmtpServer["mails"][number];
    }, patience);
  const conversations = async () =>
    (await app.call("GET", "/v1/chat/conversations?channel=help")).body.data as {
      conversation_id: string;
      user: string | null;
    }[];

  it("answers a message in its thread, and goes on with it, each message once", async () => {
    await imap.deliver("help", mail("1@example.com", "Where is my order?"));
    const first = await reply(1);
    expect(first).toMatchObject({
      subject: "Re: My order",
      inReplyTo: "<1@example.com>",
      references: "<1@example.com>",
      from: { name: "Example", address: "help@example.org" },
      to: [{ name: "Ana", address: "ana@example.com" }],
    });
    expect(first.text).toMatch(/^It arrives on \*\*Tuesday\*\*\.\n\n-- \nYou are/);
    expect(first.headers.find(({ key }) => key === "auto-submitted")?.value).toBe("auto-replied");
    const again = mail("2@example.com", `Thanks!\n\nOn Monday, Example <help@example.org> wrote:\n> ${first.text}`, {
      more: [`In-Reply-To: ${first.messageId}`, `References: <1@example.com> ${first.messageId}`],
    });
    await imap.deliver("help", again, again, mail("1@example.com", "Where is my order?"));
    await imap.deliver("help", mail("3@example.com", "I am away", { more: ["Auto-Submitted: auto-replied"] }));
    const second = await reply(2);
    expect(second.references).toBe(`<1@example.com> ${first.messageId} <2@example.com>`);
    const [conversation, ...others] = await conversations();
    expect([conversation?.user, others]).toEqual(["ana@example.com", []]);
    const texts = (await messagesOf(app, conversation?.conversation_id as string)).map(
      ({ parts }) => (parts[0] as { text: string }).text,
    );
    expect(texts).toEqual([
      "Where is my order?",
      "It arrives on **Tuesday**.",
      "Thanks!",
      "It arrives on **Tuesday**.",
    ]);
    expect(await channel()).toMatchObject({ state: "ok", last_error: null, deliveries: { waiting: 0, failed: 0 } });
    expect(
      (await app.call("GET", `/v1/chat/conversations/${conversation?.conversation_id}`)).body.disclosure.delivered_at,
    ).not.toBe(null);
  });

  it("lets nobody into the thread of somebody else by its ids alone, and knows no unverified sender", async () => {
    const more = ["In-Reply-To: <1@example.com>", "References: <1@example.com>"];
    await imap.deliver("help", mail("4@evil.example", "What did she order?", { from: "eve@evil.example", more }));
    expect((await reply(3)).to).toEqual([{ name: "Ana", address: "eve@evil.example" }]);
    await imap.deliver("help", mail("5@example.com", "And me?", { dmarc: false, more }));
    await reply(4);
    expect((await conversations()).map(({ user }) => user).sort()).toEqual(
      [null, "ana@example.com", "eve@evil.example"].sort(),
    );
  });

  it("takes files with what can be read of them, and waits with a message until its agent is deployed", async () => {
    const deployed = (state: string) =>
      changeFacts(app, machines, "agents", "update deployments set state = $1 where agent = 'sales'", [state]);
    await deployed("ended");
    const parts = [
      "--b",
      "Content-Type: text/plain",
      "",
      "See the file.",
      "--b",
      "Content-Type: text/plain",
      "Content-Disposition: attachment; filename=order.txt",
    ];
    const more = ['Content-Type: multipart/mixed; boundary="b"'];
    await imap.deliver("help", mail("6@example.com", [...parts, "", "Order 4711", "--b--"].join("\n"), { more }));
    await vi.waitFor(
      async () => expect((await channel()).last_error).toMatch(/could not be taken, and is tried again/),
      patience,
    );
    await deployed("live");
    await reply(5);
    expect((await app.pool.query("select name, text from chat_files")).rows).toEqual([
      { name: "order.txt", text: expect.stringContaining("Order 4711") },
    ]);
  });

  it("keeps what its mail server does not take now, and says what it never takes", async () => {
    smtp.refuse = { code: 451, text: "try later" };
    await imap.deliver("help", mail("7@example.com", "One more"));
    await vi.waitFor(async () => expect((await channel()).deliveries).toMatchObject({ waiting: 1 }), patience);
    await vi.waitFor(
      async () => expect((await channel()).deliveries.last_error).toMatch(/refuses: .*try later/),
      patience,
    );
    expect(await channel()).toMatchObject({ state: "failing" });
    smtp.refuse = { code: 550, text: "no such user" };
    await app.pool.query("update chat_deliveries set next_at = now() where state = 'waiting'");
    await app.pool.query("update graphile_worker._private_jobs set run_at = now()");
    await vi.waitFor(
      async () => expect((await channel()).deliveries).toMatchObject({ waiting: 0, failed: 1 }),
      patience,
    );
    smtp.refuse = null;
  });

  it("is tested before it is stored, and says which setting is wrong", async () => {
    const faults = async (changes: object, secret: object | null = {}) => {
      const { status, body } = await set(changes, secret);
      expect(status).toBe(422);
      return body.errors.map(({ pointer }: { pointer: string }) => pointer);
    };
    expect(await faults({}, { imap_password: "wrong" })).toEqual(["/secret/imap_password"]);
    expect(await faults({}, { smtp_password: "wrong" })).toEqual(["/secret/smtp_password"]);
    expect(await faults({ imap: { ...config().imap, mailbox: "Nowhere" } })).toEqual(["/config/imap/mailbox"]);
    expect(await faults({ smtp: { ...config().smtp, port: 9 } })).toEqual(["/config/smtp/host"]);
    expect(await faults({ smtp: { ...config().smtp, host: "elsewhere.example" } }, null)).toEqual(["/secret"]);
    expect(await faults({ imap: { host: "" } })).toContain("/config/imap/host");
    const kept = await set({ poll_seconds: 7 }, null);
    expect([kept.status, kept.body.config.poll_seconds, kept.text.includes(imap.password)]).toEqual([200, 7, false]);
  });
});
