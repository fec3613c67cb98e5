import { parseJson } from "../../../../kernel/stored-json.ts";
import { type SinkAnswer, SinkFault } from "../../ports.ts";

/** The longest that a receiver can have a batch wait (seconds). */
const longestWait = 3_600;

/** Why an answer does not acknowledge a batch, with the answer: what it says is shown once secrets are out of it. */
export class Answered extends SinkFault {
  readonly answer: SinkAnswer;
  constructor(code: string, detail: string, answer: SinkAnswer, retryAfter: number | null = null) {
    super(code, detail, { retryAfter });
    this.answer = answer;
  }
}

/** Throws SinkFault unless the answer acknowledges the batch by its status. */
export function expectTaken(answer: SinkAnswer, url: string): void {
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return;
  const host = `\`${URL.parse(url)?.host ?? url}\``;
  if (status >= 300 && status < 400)
    throw new SinkFault(
      "redirect",
      `${host} answered with a redirect (${status}), which is not followed: give the address that it leads to.`,
    );
  const retryAfter = retryAfterOf(headers["retry-after"]);
  throw new Answered("status", `${host} answered ${status}; 2xx acknowledges a batch.`, answer, retryAfter);
}

/** The beginning of what a receiver says, for people. Secrets are taken out of all of it first: one that the end cuts would no longer be found. */
export const excerpt = (body: string, withoutSecrets: (text: string) => string): string => {
  const whole = withoutSecrets(body.replaceAll("\u0000", "").replaceAll(/\s+/g, " ").trim());
  const line = whole.slice(0, 200).toWellFormed();
  return line === "" ? "" : ` It says: ${line}`;
};

const retryAfterOf = (value: string | undefined): number | null =>
  value !== undefined && /^\d{1,9}$/.test(value) ? Math.min(Number(value), longestWait) : null;

/** The members of a JSON object that a receiver answered; null where it answered something else. */
export function membersIn(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const value = parseJson(body);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
