import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { vi } from "vitest";

export interface Mailbox {
  /** For AOS_SMTP_URL. */
  readonly url: string;
  /** What was delivered, newest last: the whole messages. */
  readonly messages: string[];
  /** Refuses what is sent from now on. */
  broken: boolean;
  /** How many messages it has refused. */
  refused: number;
  /** The token of the invitation in the newest message to somebody; waits for one after the first `after`. */
  token(to: string, after?: number): Promise<string>;
  close(): Promise<void>;
}

/** A real mail server on loopback that keeps what it gets. */
export async function startMailbox(): Promise<Mailbox> {
  const messages: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        if (mailbox.broken) {
          mailbox.refused += 1;
          return done(new Error("the mailbox is full"));
        }
        messages.push(Buffer.concat(parts).toString());
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const mailbox: Mailbox = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    messages,
    broken: false,
    refused: 0,
    async token(to, after = 0) {
      const sent = () => messages.slice(after).filter((message) => message.includes(`To: ${to}`));
      await vi.waitUntil(() => sent().length > 0, { timeout: 20_000, interval: 20 });
      const body = (sent().at(-1) as string).replaceAll(/=\r\n/g, "").replaceAll("=3D", "=");
      return /#token=([\w-]{43})/.exec(body)?.[1] as string;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mailbox;
}
