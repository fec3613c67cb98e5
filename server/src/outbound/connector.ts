import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { buildConnector, errors } from "undici";
import { OutboundError } from "./errors.ts";
import { type Guard, plainHost } from "./guard.ts";
import type { Resolve } from "./types.ts";

export interface ConnectorParts {
  readonly guard: Guard;
  readonly resolve: Resolve;
  readonly connectMs: number;
  readonly ca: string | undefined;
}

/**
 * Makes connections to checked addresses only. A name is looked up here, once per connection; what came out is checked, and the socket gets exactly that
 * list: nothing looks the name up again, so an answer that changes in between (rebinding) changes nothing. Literal addresses never reach a resolver and are checked
 * as they stand. The name goes on to TLS, which checks the certificate against it.
 */
export function createConnector(parts: ConnectorParts): buildConnector.connector {
  return (options, callback) => {
    connect(parts, options).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(asOutboundError(error, options.hostname), null),
    );
  };
}

async function connect(
  { guard, resolve, connectMs, ca }: ConnectorParts,
  options: buildConnector.Options,
): Promise<Socket> {
  const hostname = plainHost(options.hostname);
  const deadline = AbortSignal.timeout(connectMs);
  const addresses = isIP(hostname) === 0 ? await within(deadline, lookUp(resolve, hostname)) : [hostname];
  guard.checkAddresses({ protocol: options.protocol, hostname, port: options.port }, addresses);
  const open = buildConnector({
    allowH2: false,
    maxCachedSessions: 0,
    // The whole of `connectMs` at most; the lookup before it is over by now.
    timeout: connectMs,
    autoSelectFamily: true,
    lookup: pinned(addresses),
    ...(ca === undefined ? {} : { ca }),
  });
  const socket = await within(
    deadline,
    new Promise<Socket>((done, failed) => {
      open({ ...options, hostname }, (error, made) => {
        if (error) failed(error);
        else if (deadline.aborted) made.destroy();
        else done(made);
      });
    }),
  );
  return isPinned(socket, addresses) ? socket : destroyed(socket, hostname);
}

/** Answers what was checked, whatever is asked. */
function pinned(addresses: readonly string[]): LookupFunction {
  const found: LookupAddress[] = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    if (options.all) callback(null, found);
    else callback(null, found[0]!.address, found[0]!.family);
  };
}

/** What the socket itself says of where it leads: the check of the check. */
function isPinned(socket: Socket, addresses: readonly string[]): boolean {
  const remote = socket.remoteAddress;
  return remote !== undefined && addresses.some((address) => sameAddress(address, remote));
}

/** Systems write IPv6 addresses in different ways; `URL` writes them in one. */
const sameAddress = (a: string, b: string): boolean =>
  a === b || (isIP(a) === 6 && isIP(b) === 6 && new URL(`http://[${a}]`).host === new URL(`http://[${b}]`).host);

function destroyed(socket: Socket, hostname: string): never {
  socket.destroy();
  throw new OutboundError("connect_failed", `the connection to \`${hostname}\` was lost as soon as it stood`, {
    sent: false,
  });
}

async function lookUp(resolve: Resolve, hostname: string): Promise<readonly string[]> {
  try {
    const found = (await resolve(hostname)).map(({ address }) => address);
    if (found.length > 0) return found;
  } catch (cause) {
    if (cause instanceof OutboundError) throw cause;
    throw new OutboundError("name_not_found", `\`${hostname}\` cannot be looked up; check the name`, {
      sent: false,
      cause,
    });
  }
  throw new OutboundError("name_not_found", `\`${hostname}\` has no address; check the name`, { sent: false });
}

/** The result of `work`, or what the deadline was aborted with, whichever comes first. */
async function within<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  const over = Promise.withResolvers<never>();
  const end = (): void => over.reject(deadline.reason as Error);
  deadline.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    deadline.removeEventListener("abort", end);
    work.catch(() => undefined); // late: nobody waits for it any more
  }
}

/** The code that the system, or the library, gave an error; of several tries, that of the first. */
export function codeOf(error: unknown): string {
  const { code, errors: several } = error as { readonly code?: unknown; readonly errors?: readonly unknown[] };
  if (typeof code === "string") return code;
  return Array.isArray(several) && several.length > 0 ? codeOf(several[0]) : "";
}

export const isTls = (code: string): boolean =>
  /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO|INVALID_CA|INVALID_PURPOSE)/.test(
    code,
  );

/** Failures before the connection stood, in words of ours: nothing was sent. */
function asOutboundError(error: unknown, hostname: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const facts = { sent: false, cause: error };
  if (error instanceof errors.ConnectTimeoutError || (error as Error).name === "TimeoutError")
    return new OutboundError("connect_timeout", `\`${hostname}\` did not take the connection in time`, facts);
  const code = codeOf(error);
  if (isTls(code))
    return new OutboundError(
      "tls_failed",
      `\`${hostname}\` has no certificate that can be trusted, or speaks no TLS (${code})`,
      facts,
    );
  return new OutboundError(
    "connect_failed",
    `\`${hostname}\` takes no connection${code === "" ? "" : ` (${code})`}`,
    facts,
  );
}
