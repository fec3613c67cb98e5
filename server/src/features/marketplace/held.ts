import { isoTime, timestamp } from "../../kernel/clock.ts";
import { refuse } from "../../kernel/errors.ts";
import { installState } from "./errors.ts";
import type { InstallRow } from "./install-store.ts";

/** How long a batch holds the install that it changes, in milliseconds: much longer than one takes, so that a process that dies does not hold it for good. */
const heldFor = 10 * 60 * 1000;

/** Refuses to change an install while another batch does. `batch`: the one that wants to. */
export function refuseHeld(
  now: number,
  { state, batch: holder, updated_at }: Pick<InstallRow, "state" | "batch" | "updated_at">,
  batch: string | null,
): void {
  const until = updated_at.getTime() + heldFor;
  if (state !== "installing" || holder === batch || now >= until) return;
  throw refuse(
    installState,
    `Another call has been changing it since ${isoTime(updated_at)}. If that broke off, repeat it with its Idempotency-Key, or reset the install after ${timestamp(until)}.`,
  );
}

/** Refuses to change an install that is not as it was when the change was planned. `based`: its revision then. */
export function refuseChanged({ revision }: Pick<InstallRow, "revision">, based: number | null): void {
  if (revision !== based)
    throw refuse(installState, "Another call changed it meanwhile; read it again, then repeat the call.");
}
