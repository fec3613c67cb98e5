import { isIP } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { codeOf, isTls } from "./connector.ts";
import { OutboundError } from "./errors.ts";
import type { Guard } from "./guard.ts";
import type { Resolve } from "./types.ts";

export interface TlsParts {
  readonly guard: Guard;
  readonly resolve: Resolve;
  /** Authorities to trust instead of the well-known ones, in PEM. */
  readonly ca: string | undefined;
}

interface TlsTarget {
  readonly host: string;
  readonly port: number;
  /** Null: this side shows no certificate. */
  readonly certificate: { readonly certificate: string; readonly private_key: string } | null;
}

interface Limits {
  readonly signal: AbortSignal;
  /** From the look-up of the name until the server has closed the connection. */
  readonly timeoutMs: number;
}

/**
 * Writes bytes by TLS and ends the connection. Resolves when the server has closed its side too, which it does after it has read ours to the end: where a protocol knows no
 * answers, such as syslog, nothing else says that it took them. The host's addresses are checked as those of HTTP are, and the connection goes to one that was checked.
 * Throws OutboundError, and the signal's reason where it is aborted.
 */
export async function writeByTls(
  parts: TlsParts,
  target: TlsTarget,
  data: Uint8Array,
  { signal, timeoutMs }: Limits,
): Promise<void> {
  signal.throwIfAborted();
  const progress = { sent: false };
  const over = Promise.withResolvers<never>();
  const end = (error: unknown): void => over.reject(error);
  const abort = (): void => end(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  const late = `\`${target.host}\` did not take everything and close the connection within ${timeoutMs / 1_000} s`;
  const timer = setTimeout(() => end(new OutboundError("timeout", late, { sent: progress.sent })), timeoutMs);
  let socket: TLSSocket | undefined;
  try {
    const address = await Promise.race([checkedAddress(parts, target), over.promise]);
    socket = open(address, parts.ca, target);
    await Promise.race([written(socket, data, target.host, progress), over.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    over.promise.catch(() => undefined);
    socket?.destroy();
  }
}

async function checkedAddress({ guard, resolve }: TlsParts, { host, port }: TlsTarget): Promise<string> {
  const addresses = isIP(host) === 0 ? await lookUp(resolve, host) : [host];
  guard.checkAddresses({ protocol: "https:", hostname: host, port: String(port) }, addresses);
  return addresses[0] as string;
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

function open(address: string, ca: string | undefined, { host, port, certificate }: TlsTarget): TLSSocket {
  try {
    return connect({
      host: address,
      port,
      minVersion: "TLSv1.2",
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca !== undefined && { ca }),
      ...(certificate !== null && { cert: certificate.certificate, key: certificate.private_key }),
    });
  } catch (cause) {
    const message = `the certificates or the key for \`${host}\` cannot be read; they must be PEM, and the key without a passphrase`;
    throw new OutboundError("tls_failed", message, { sent: false, cause });
  }
}

function written(socket: TLSSocket, data: Uint8Array, host: string, progress: { sent: boolean }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let flushed = false;
  let ended = false;
  const lost = (cause?: unknown): OutboundError => failure(host, progress.sent, cause);
  socket.on("error", (error) => reject(lost(error)));
  socket.on("end", () => {
    ended = flushed; // before that the server leaves for reasons of its own
  });
  socket.on("close", (failed) => (ended && !failed ? resolve() : reject(lost())));
  socket.on("secureConnect", () => {
    progress.sent = true;
    socket.end(data, () => {
      flushed = true;
    });
  });
  socket.resume(); // what the server says is not read
  return promise;
}

function failure(host: string, sent: boolean, cause: unknown): OutboundError {
  const code = cause === undefined ? "" : codeOf(cause);
  const named = code === "" ? "" : ` (${code})`;
  if (isTls(code)) {
    const message = `\`${host}\` has no certificate that can be trusted, speaks no TLS, or does not trust this side's certificate${named}`;
    return new OutboundError("tls_failed", message, { sent, cause });
  }
  return sent
    ? new OutboundError("connection_lost", `\`${host}\` broke off before it had read everything${named}`, {
        sent,
        cause,
      })
    : new OutboundError("connect_failed", `\`${host}\` takes no connection${named}`, { sent, cause });
}
