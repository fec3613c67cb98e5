import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

export interface SmtpServer {
  readonly port: number;
  readonly password: string;
  /** What was handed in, newest last. */
  readonly mails: Email[];
  /** What it answers to a recipient: null takes it. */
  refuse: { readonly code: number; readonly text: string } | null;
  close(): Promise<void>;
}

/** A mail server on loopback that asks for a password and keeps what it gets. */
export async function startSmtp(tls?: { readonly key: string; readonly cert: string }): Promise<SmtpServer> {
  const smtp: SmtpServer = {
    port: 0,
    password: "battery-staple",
    mails: [],
    refuse: null,
    close: async () => undefined,
  };
  const server = new SMTPServer({
    logger: false,
    allowInsecureAuth: true,
    ...(tls ?? { disabledCommands: ["STARTTLS"] }),
    onAuth({ password }, _session, done) {
      done(password === smtp.password ? null : new Error("wrong password"), { user: "help" });
    },
    onRcptTo(_address, _session, done) {
      done(smtp.refuse && Object.assign(new Error(smtp.refuse.text), { responseCode: smtp.refuse.code }));
    },
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        PostalMime.parse(Buffer.concat(parts)).then((mail) => {
          smtp.mails.push(mail);
          done();
        }, done);
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return Object.assign(smtp, { port, close: () => new Promise<void>((resolve) => server.close(() => resolve())) });
}
