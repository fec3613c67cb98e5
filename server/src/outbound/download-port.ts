import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import path from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Downloaded, DownloadFault, DownloadLimits, DownloadPort } from "../features/knowledge/ports.ts";
import { createGuard } from "./guard.ts";
import { createOutbound, type Outbound, OutboundError } from "./index.ts";
import type { OutboundOptions } from "./types.ts";

export type DownloadPortParts = Pick<OutboundOptions, "servesProduction" | "tracer"> & {
  /** What the operator opened besides public addresses. */
  readonly outboundAllow: readonly string[];
};

/** Redirects that are followed. */
const mostRedirects = 5;

class Failed extends Error {
  readonly fault: DownloadFault;
  constructor(code: string, detail: string) {
    super(detail);
    this.fault = { code, detail };
  }
}

/** Joins documents with the way out. */
export function createDownloadPort({
  outboundAllow,
  servesProduction,
  tracer = null,
}: DownloadPortParts): DownloadPort {
  return {
    checkUrl(environment, url) {
      try {
        createGuard(environment, outboundAllow, servesProduction).checkUrl(url);
        return null;
      } catch (error) {
        if (error instanceof OutboundError) return { pointer: "/url", code: error.code, detail: error.message };
        throw error;
      }
    },
    async download(environment, url, file, limits) {
      const outbound = createOutbound({ environment, allow: outboundAllow, servesProduction, tracer });
      try {
        return await fetchInto(outbound, url, file, limits);
      } catch (error) {
        return { fault: faultOf(error, limits) };
      } finally {
        await outbound.close();
      }
    },
  };
}

async function fetchInto(outbound: Outbound, url: string, file: string, limits: DownloadLimits): Promise<Downloaded> {
  const deadline = AbortSignal.timeout(limits.timeoutMs);
  const signal = limits.signal ? AbortSignal.any([limits.signal, deadline]) : deadline;
  const { response, from } = await followed(outbound, new URL(url), signal);
  if (!response.ok) {
    await response.body?.cancel();
    throw new Failed("fetch_failed", `\`${from.hostname}\` answers with status ${response.status}.`);
  }
  const hash = createHash("sha256");
  let size = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > limits.bytes) return done(tooLarge(limits));
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const announced = Number(response.headers.get("content-length") ?? 0);
  if (announced > limits.bytes) {
    await response.body?.cancel();
    throw tooLarge(limits);
  }
  const body = response.body ? Readable.fromWeb(response.body as never) : Readable.from([]);
  await pipeline(body, counted, createWriteStream(file));
  const media_type = mediaTypeOf(response.headers.get("content-type") ?? "");
  const named = path.posix.basename(decodedPath(from));
  return { size, sha256: hash.digest("hex"), media_type, file_name: named || null, url: from.href };
}

const tooLarge = ({ bytes }: DownloadLimits) =>
  new Failed("too_large", `The file at the address has more than ${bytes} bytes.`);

/** In lower case, and without parameters but a charset that is not UTF-8; null: none is said. */
function mediaTypeOf(header: string): string | null {
  const [type = "", ...parameters] = header
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  const charset = parameters.find((one) => one.startsWith("charset="));
  if (type === "") return null;
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset) ? type : `${type}; ${charset}`;
}

function decodedPath({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname).replaceAll("\0", "");
  } catch {
    return pathname;
  }
}

/** The answer after redirects, each of which passes the guard. What began by https does not go on by http. */
async function followed(outbound: Outbound, url: URL, signal: AbortSignal): Promise<{ response: Response; from: URL }> {
  let from = url;
  for (let hop = 0; ; hop++) {
    const response = await outbound.fetch(from.href, { signal, redirect: "manual" });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null) return { response, from };
    await response.body?.cancel();
    const next = URL.parse(location, from);
    if (next === null) throw new Failed("fetch_failed", `\`${from.hostname}\` redirects to what is no address.`);
    if (from.protocol === "https:" && next.protocol === "http:")
      throw new Failed("fetch_refused", `\`${from.hostname}\` is called by https, and redirects to http.`);
    if (hop >= mostRedirects)
      throw new Failed("fetch_failed", `The address redirects more than ${mostRedirects} times.`);
    from = next;
  }
}

const refusals: ReadonlySet<string> = new Set([
  "address_invalid",
  "https_required",
  "address_refused",
  "redirect_refused",
]);

function faultOf(error: unknown, { timeoutMs }: DownloadLimits): DownloadFault {
  if (error instanceof Failed) return error.fault;
  if (error instanceof OutboundError)
    return {
      code: refusals.has(error.code) ? "fetch_refused" : "fetch_failed",
      detail: `The address could not be fetched: ${error.message}.`,
    };
  if ((error as Error | undefined)?.name === "TimeoutError")
    return { code: "fetch_failed", detail: `The address did not answer whole within ${timeoutMs / 1000} s.` };
  throw error;
}
