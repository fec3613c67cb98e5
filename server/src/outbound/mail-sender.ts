import { createTransport } from "nodemailer";
import { ChannelFault, type MailServer, type OutgoingMail } from "../features/chat/ports.ts";
import { checkedServer, patience, type Reaching, tlsOf, withoutSecrets } from "./mail-connection.ts";

/** Signs in at a server that sends, and does nothing else. */
export const checkSender = (reaching: Reaching, server: MailServer): Promise<void> =>
  withTransport(reaching, server, async (transport) => void (await transport.verify()));

/** Hands a message in. Its envelope names one recipient. */
export const sendMail = (reaching: Reaching, server: MailServer, mail: OutgoingMail): Promise<void> =>
  withTransport(reaching, server, async (transport) => {
    const { from, to, inReplyTo, references } = mail;
    await transport.sendMail({
      from,
      to,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      messageId: mail.messageId,
      ...(inReplyTo === null ? {} : { inReplyTo }),
      ...(references.length === 0 ? {} : { references: [...references] }),
      envelope: { from: from.address, to: [to.address] },
      // Nobody answers an answer by themselves (RFC 3834), and readers of Microsoft's know this one.
      headers: { "Auto-Submitted": "auto-replied", "X-Auto-Response-Suppress": "All" },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  });

async function withTransport<T>(
  reaching: Reaching,
  server: MailServer,
  work: (transport: ReturnType<typeof createTransport>) => Promise<T>,
): Promise<T> {
  const checked = await checkedServer(reaching, server);
  const { port, security, user, password } = server;
  const transport = createTransport({
    host: checked.host,
    port,
    secure: security === "tls",
    auth: { user, pass: password },
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    tls: tlsOf(checked),
    connectionTimeout: patience.connect,
    greetingTimeout: patience.greet,
    socketTimeout: patience.silence,
  });
  try {
    return await work(transport);
  } catch (cause) {
    throw senderFault(cause, server);
  } finally {
    transport.close();
  }
}

function senderFault(cause: unknown, server: MailServer): unknown {
  const {
    code = "",
    message = "",
    responseCode,
    response = "",
    command = "",
  } = cause as Record<string, string> & { responseCode?: number };
  const { host } = server;
  const said = withoutSecrets(response, server);
  if (code === "EAUTH" || responseCode === 535)
    return new ChannelFault("unauthorized", `\`${host}\` does not accept the user and password of SMTP.`, {
      about: "credentials",
      cause,
    });
  if (code === "ETLS" || /certificate|\bTLS\b|\bSSL\b/i.test(message))
    return new ChannelFault("tls_failed", `\`${host}\` offers no encryption that can be trusted (${code}).`, { cause });
  if (responseCode !== undefined && /^[45]/.test(String(responseCode))) {
    const ofMessage = /MAIL FROM|RCPT TO|DATA/.test(command) || code === "EENVELOPE" || code === "EMESSAGE";
    return new ChannelFault("refused", `\`${host}\` refuses: ${said}`, {
      about: ofMessage ? "message" : "server",
      permanent: ofMessage && responseCode >= 500,
      cause,
    });
  }
  return new ChannelFault(
    "connection_failed",
    `\`${host}\` could not be reached by SMTP, or broke off${code ? ` (${code})` : ""}.`,
    {
      cause,
    },
  );
}
