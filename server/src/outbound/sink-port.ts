import { type SinkAccess, SinkFault, type SinkPort } from "../features/audit/ports.ts";
import type { Environment } from "../kernel/principal.ts";
import { sentence } from "./errors.ts";
import { createGuard, isLiteral, plainHost } from "./guard.ts";
import { createOutbound, OutboundError } from "./index.ts";
import { systemNames } from "./names.ts";
import type { Resolve } from "./types.ts";

export interface SinkPortParts {
  readonly credentialKey: Buffer;
  /** What the operator opened besides public addresses. */
  readonly outboundAllow: readonly string[];
  /** Whether an agent is live in production: then development reaches no loopback. Default: none is. */
  readonly servesProduction?: (() => boolean) | undefined;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
}

/** How long a receiver may take to acknowledge a batch (milliseconds). */
const answerMs = 30_000;
/** Bytes that are read of an answer. */
const answerBytes = 65_536;

/** Joins audit sinks with the guard of the way out. */
export function createSinkPort(parts: SinkPortParts): SinkPort {
  const { credentialKey, outboundAllow: allow, servesProduction, resolve = systemNames } = parts;
  const guardOf = (environment: Environment) => createGuard(environment, allow, servesProduction);
  return {
    credentialKey,
    checkUrl(environment, text) {
      try {
        const guard = guardOf(environment);
        const { protocol, hostname, port } = guard.checkUrl(text);
        const host = plainHost(hostname);
        if (isLiteral(host)) guard.checkAddresses({ protocol, hostname: host, port }, [host]);
        return null;
      } catch (error) {
        if (error instanceof OutboundError) return { code: error.code, detail: error.message };
        throw error;
      }
    },
    open(environment, ca): SinkAccess {
      const outbound = createOutbound({
        environment,
        allow,
        servesProduction,
        resolve,
        ...(ca !== undefined && { ca }),
      });
      return {
        async send({ url, method, headers, body, signal }) {
          const limits = { timeoutMs: answerMs, maxResponseBytes: answerBytes, cut: true, repeatable: true };
          const answer = await inWords(
            signal,
            outbound.send({ url, method, secretHeaders: headers, body, signal, ...limits }),
          );
          return { status: answer.status, headers: answer.headers, body: Buffer.from(answer.body).toString() };
        },
        async write(endpoint, data, signal) {
          const { writeByTls } = await import("./tls-connection.ts");
          const reaching = { guard: guardOf(environment), resolve, ca };
          await inWords(signal, writeByTls(reaching, endpoint, data, { signal, timeoutMs: answerMs }));
        },
        close: () => outbound.close(),
      };
    },
  };
}

async function inWords<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    signal.throwIfAborted();
    if (!(cause instanceof OutboundError)) throw cause;
    throw new SinkFault(cause.code, sentence(cause.message), { cause });
  }
}
