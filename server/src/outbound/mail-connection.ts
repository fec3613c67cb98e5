import { isIP } from "node:net";
import { ChannelFault, type MailServer } from "../features/chat/ports.ts";
import { OutboundError, sentence } from "./errors.ts";
import type { Guard } from "./guard.ts";
import type { Resolve } from "./types.ts";

export interface Reaching {
  readonly guard: Guard;
  readonly resolve: Resolve;
  /** Authorities to trust instead of the well-known ones, in PEM. */
  readonly ca?: string | undefined;
}

/** How long a server of mail may take to take a connection, to greet, and to say anything (milliseconds). */
export const patience = { connect: 10_000, greet: 10_000, silence: 30_000 } as const;

/** Where a connection goes: an address that was checked, and the name that its certificate has to be for. */
export interface CheckedServer {
  readonly host: string;
  readonly servername: string;
  readonly ca: string | undefined;
}

/**
 * Looks the server up and checks its addresses as those of HTTP are; the connection then goes to the one that was checked. A server without encryption is reached where http
 * would be.
 */
export async function checkedServer({ guard, resolve, ca }: Reaching, server: MailServer): Promise<CheckedServer> {
  const { host, port, security } = server;
  try {
    const addresses = isIP(host) === 0 ? await lookUp(resolve, host) : [host];
    const protocol = security === "none" ? "http:" : "https:";
    guard.checkAddresses({ protocol, hostname: host, port: String(port) }, addresses);
    return { host: addresses[0] as string, servername: host, ca };
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    const detail =
      cause.code === "https_required"
        ? `\`${host}\` must be reached with security \`tls\` or \`starttls\`; \`none\` is for this machine's own addresses in development.`
        : sentence(cause.message);
    throw new ChannelFault(cause.code, detail, { cause });
  }
}

async function lookUp(resolve: Resolve, host: string): Promise<string[]> {
  try {
    return (await resolve(host)).map(({ address }) => address);
  } catch (cause) {
    if (cause instanceof OutboundError) throw cause;
    const message = `\`${host}\` cannot be looked up; check the name`;
    throw new OutboundError("name_not_found", message, { sent: false, cause });
  }
}

/** The TLS of a connection to an address that stands for a name. */
export const tlsOf = ({ servername, ca }: CheckedServer) => ({
  ...(isIP(servername) === 0 && { servername }),
  ...(ca !== undefined && { ca }),
});

/** What a server said, without what must not be shown. */
export function withoutSecrets(said: string, { user, password }: MailServer): string {
  const line = said.replaceAll(/\s+/g, " ").trim();
  return [password, user].reduce((text, secret) => text.replaceAll(secret, "…"), line).slice(0, 300);
}
