import { setTimeout as delay } from "node:timers/promises";
import type { ReadContext } from "./context.ts";

/** How often a call that waits looks (milliseconds). */
const lookMs = 250;

/** Long work as it stands when it is no longer `queued` or `running`, or after as many seconds as the caller waits (`Prefer: wait=n`), or when the caller has gone. */
export async function whenEnded<Row extends { readonly state: string }>(
  ctx: ReadContext,
  row: Row,
  read: () => Promise<Row | undefined>,
): Promise<Row> {
  const open = ({ state }: Row): boolean => state === "queued" || state === "running";
  let found = row;
  for (let waited = 0; open(found) && waited < ctx.waitSeconds * 1000 && !ctx.signal.aborted; waited += lookMs) {
    await delay(lookMs, undefined, { signal: ctx.signal }).catch(() => undefined);
    found = (await read()) ?? found;
  }
  return found;
}
