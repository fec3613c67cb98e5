import type { Webhook } from "../../api/webhooks.ts";
import { spoken } from "../../lib/words.ts";

/** So many deliveries under way at once are ordinary. */
export const ordinarilyWaiting = 10;

/** What keeps an endpoint that is on from being in order: attempts fail, or deliveries pile up. Null: nothing does, or it is off. */
export function troubleOf({
  state,
  health: { failing_since: failing, pending },
}: {
  readonly state: Webhook["state"];
  readonly health: Pick<Webhook["health"], "failing_since" | "pending">;
}): { readonly tone: "warn" | "bad"; readonly text: string } | null {
  if (state !== "enabled" || (failing === null && pending <= ordinarilyWaiting)) return null;
  const waiting = pending > 0 ? `, ${pending.toLocaleString("en")} waiting` : "";
  return failing === null ? { tone: "warn", text: `Enabled${waiting}` } : { tone: "bad", text: `Failing${waiting}` };
}

/** What came of an attempt, in words: `responded 503`, or why there was no response. */
export function answerText({
  status,
  error,
}: {
  readonly status: number | null;
  readonly error: string | null;
}): string {
  if (status !== null) return `responded ${status}`;
  return error === null ? "no response" : spoken(error).toLowerCase();
}
