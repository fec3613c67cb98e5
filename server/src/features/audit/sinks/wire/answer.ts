import { parseJson } from "../../../../kernel/stored-json.ts";
import { type SinkAnswer, SinkFault } from "../../ports.ts";

/** The longest that a receiver can have a batch wait (seconds). */
const longestWait = 3_600;

/** Throws SinkFault unless the answer acknowledges the batch by its status. */
export function expectTaken({ status, headers, body }: SinkAnswer, url: string): void {
  if (status >= 200 && status < 300) return;
  const host = `\`${URL.parse(url)?.host ?? url}\``;
  if (status >= 300 && status < 400)
    throw new SinkFault(
      "redirect",
      `${host} answered with a redirect (${status}), which is not followed: give the address that it leads to.`,
    );
  const said = excerpt(body);
  const retryAfter = retryAfterOf(headers["retry-after"]);
  throw new SinkFault("status", `${host} answered ${status}; 2xx acknowledges a batch.${said}`, { retryAfter });
}

/** The beginning of what a receiver says, for people. */
export const excerpt = (body: string): string => {
  const line = body.replaceAll("\u0000", "").replaceAll(/\s+/g, " ").trim().slice(0, 200).toWellFormed();
  return line === "" ? "" : ` It says: ${line}`;
};

const retryAfterOf = (value: string | undefined): number | null =>
  value !== undefined && /^\d{1,9}$/.test(value) ? Math.min(Number(value), longestWait) : null;

/** What a receiver answered, as JSON; an empty object where it is none. */
export function membersIn(body: string): Readonly<Record<string, unknown>> {
  try {
    const value = parseJson(body);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
