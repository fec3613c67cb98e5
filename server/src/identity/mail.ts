import { createTransport } from "nodemailer";
import type { SendMail } from "../kernel/identity.ts";

/** How long the mail server may take to greet, and to say anything (milliseconds). */
const patience = 10_000;

/** Sends e-mail by a mail server (`smtp://` with STARTTLS where it is offered, `smtps://` with TLS from the first byte). */
export function createMailer(smtpUrl: string, from: string): SendMail {
  const timeouts = { connectionTimeout: patience, greetingTimeout: patience, socketTimeout: patience };
  const transport = createTransport({ url: smtpUrl, ...timeouts }, { from });
  return async ({ to, subject, text }) => {
    await transport.sendMail({ to: { name: "", address: to }, subject, text });
  };
}
