import {
  type SourceAccess,
  type SourceAnswer,
  SourceFault,
  type SourcePort,
  type SourceRequest,
} from "../features/knowledge/ports.ts";
import type { Environment } from "../kernel/principal.ts";
import type { Tracer } from "../kernel/tracing.ts";
import { sentence } from "./errors.ts";
import { createGuard } from "./guard.ts";
import { createOutbound, type Outbound, OutboundError } from "./index.ts";
import { systemNames } from "./names.ts";
import { databaseRows } from "./source-database.ts";
import type { Resolve } from "./types.ts";

export interface SourcePortParts {
  readonly credentialKey: Buffer;
  /** What the operator opened besides public addresses. */
  readonly outboundAllow: readonly string[];
  /** Folders below which connectors may read; none by default. */
  readonly knowledgeFolders?: readonly string[];
  /** Whether an agent is live in production: then development reaches no loopback. Default: none is. */
  readonly servesProduction?: (() => boolean) | undefined;
  readonly tracer?: Tracer | null;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
}

const mebibyte = 1_048_576;
/** Nobody answered, or not to the end. */
const unreachable: ReadonlySet<string> = new Set(
  "name_not_found connect_failed connect_timeout tls_failed connection_lost timeout".split(" "),
);

/** Joins connectors of knowledge bases with the way out. */
export function createSourcePort(parts: SourcePortParts): SourcePort {
  const { credentialKey, outboundAllow, knowledgeFolders = [], servesProduction, tracer = null } = parts;
  const resolve = parts.resolve ?? systemNames;
  const guardOf = (environment: Environment) => createGuard(environment, outboundAllow, servesProduction);
  const inTurn = createTurns();
  return {
    credentialKey,
    folders: knowledgeFolders,
    checkUrl(environment, url) {
      try {
        guardOf(environment).checkUrl(url);
        return null;
      } catch (error) {
        if (error instanceof OutboundError) return { code: error.code, detail: error.message };
        throw error;
      }
    },
    open(environment): SourceAccess {
      const outbound = createOutbound({ environment, allow: outboundAllow, servesProduction, tracer, resolve });
      return {
        send: (request) => inTurn(URL.parse(request.url)?.host ?? "", () => send(outbound, request)),
        rows: (target, query, limits) => databaseRows({ guard: guardOf(environment), resolve }, target, query, limits),
        close: () => outbound.close(),
      };
    },
  };
}

async function send(outbound: Outbound, request: SourceRequest): Promise<SourceAnswer> {
  const { url, method = "GET", headers = {}, body, maxBytes = 10 * mebibyte, timeoutMs = 30_000, signal } = request;
  try {
    return await outbound.send({
      url,
      method,
      repeatable: true,
      secretHeaders: headers,
      ...(body === undefined ? {} : { body }),
      maxResponseBytes: maxBytes,
      timeoutMs,
      ...(signal ? { signal } : {}),
    });
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    throw new SourceFault(cause.code, sentence(cause.message), { unreachable: unreachable.has(cause.code), cause });
  }
}

/** Lets work on one host wait for the work before it. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return <T>(host: string, work: () => Promise<T>): Promise<T> => {
    const turn = (last.get(host) ?? Promise.resolve()).then(work, work);
    const settled: Promise<unknown> = turn
      .catch(() => undefined)
      .finally(() => {
        if (last.get(host) === settled) last.delete(host);
      });
    last.set(host, settled);
    return turn;
  };
}
