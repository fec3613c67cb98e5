import { type SourceAnswer, SourceFault } from "../../ports.ts";
import type { Looking } from "./source.ts";

/** The name under which robots.txt knows the service. */
export const ROBOT = "AOS-Knowledge";
const common = {
  "user-agent": `${ROBOT}/1.0`,
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
};

/** What lets a server say that nothing changed. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly last_modified?: string | undefined;
}

export const validatorsOf = ({ headers }: SourceAnswer): Validators => ({
  ...(headers.etag === undefined ? {} : { etag: headers.etag }),
  ...(headers["last-modified"] === undefined ? {} : { last_modified: headers["last-modified"] }),
});

/** Asks for an address; with the connection's secret where that is for its origin. */
export function get(looking: Looking, url: string, { etag, last_modified }: Validators = {}): Promise<SourceAnswer> {
  const { secret, signal } = looking;
  const own = secret?.origins.includes(new URL(url).origin) ? secret.headers : {};
  const conditional = {
    ...(etag === undefined ? {} : { "if-none-match": etag }),
    ...(last_modified === undefined ? {} : { "if-modified-since": last_modified }),
  };
  return looking.access.send({ url, headers: { ...common, ...conditional, ...own }, signal });
}

/** Where an answer redirects to; null: nowhere. */
export const redirectOf = ({ status, headers }: SourceAnswer, from: string): string | null =>
  [301, 302, 303, 307, 308].includes(status) ? (URL.parse(headers.location ?? "", from)?.href ?? null) : null;

/** An address with up to five redirects within allowed origins. */
export async function getAt(
  looking: Looking,
  url: string,
  allowed: (origin: string) => boolean,
): Promise<SourceAnswer> {
  let at = url;
  for (let hop = 0; ; hop++) {
    const answer = await get(looking, at);
    const next = redirectOf(answer, at);
    if (next === null) return answer;
    if (hop === 5 || !allowed(new URL(next).origin))
      throw new SourceFault(
        "redirected",
        `${url} redirects ${hop === 5 ? "too often" : `to ${new URL(next).origin}`}.`,
      );
    at = next;
  }
}

/** Why an answer cannot be used. */
export function answerFault({ status }: SourceAnswer, url: string): SourceFault {
  const host = `\`${new URL(url).host}\``;
  if (status === 401 || status === 403)
    return new SourceFault(
      "forbidden",
      `${host} does not let this be read (${status}). Name a connection with the right to read it.`,
    );
  if (status === 404 || status === 410)
    return new SourceFault("not_found", `${host} has nothing at ${url} (${status}).`);
  if (status === 429)
    return new SourceFault("rate_limited", `${host} limits the rate of requests (429). Set a longer delay.`);
  return new SourceFault("unexpected_answer", `${host} answers ${url} with status ${status}.`);
}
