import { type SourceAnswer, SourceFault, type SourceRequest } from "../../ports.ts";
import type { SourceReading } from "./source.ts";

export const ROBOT = "AOS-Knowledge";
const common = {
  "user-agent": `${ROBOT}/1.0`,
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
};

export interface Validators {
  readonly etag?: string | undefined;
  readonly last_modified?: string | undefined;
}

export const validatorsOf = ({ headers }: SourceAnswer): Validators => ({
  ...(headers.etag === undefined ? {} : { etag: headers.etag }),
  ...(headers["last-modified"] === undefined ? {} : { last_modified: headers["last-modified"] }),
});

/** Sends the connection's secret only to its origin. */
export function request(
  { secret, signal, access }: SourceReading,
  { headers, ...asked }: Omit<SourceRequest, "signal">,
): Promise<SourceAnswer> {
  const own = secret?.origins.includes(new URL(asked.url).origin) ? secret.headers : {};
  return access.send({ ...asked, headers: { "user-agent": common["user-agent"], ...headers, ...own }, signal });
}

export function get(
  reading: SourceReading,
  url: string,
  { etag, last_modified }: Validators = {},
): Promise<SourceAnswer> {
  const conditional = {
    ...(etag === undefined ? {} : { "if-none-match": etag }),
    ...(last_modified === undefined ? {} : { "if-modified-since": last_modified }),
  };
  return request(reading, { url, headers: { ...common, ...conditional } });
}

/** Null: no redirect. */
export const redirectOf = ({ status, headers }: SourceAnswer, from: string): string | null =>
  [301, 302, 303, 307, 308].includes(status) ? (URL.parse(headers.location ?? "", from)?.href ?? null) : null;

/** Follows up to five redirects within allowed origins. */
export async function getAt(
  reading: SourceReading,
  url: string,
  allowed: (origin: string) => boolean,
): Promise<SourceAnswer> {
  let at = url;
  for (let hop = 0; ; hop++) {
    const answer = await get(reading, at);
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
