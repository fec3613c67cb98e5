import { verifierKey } from "@aos/proof";
import { openHead, openPinned, requireExtends, sameHead, type TrustedHead } from "./heads.ts";
import { isAdopted, openRow, readLogRow } from "./log-state.ts";
import type { LogMac } from "./mac.ts";
import type { Pins } from "./pins.ts";
import type { LogScope } from "./scope.ts";
import { LogStopped } from "./stop.ts";
import type { Queryable } from "./tile-store.ts";

export interface HearingParts {
  readonly pins: Pins;
  readonly pool: Queryable;
  readonly mac: LogMac;
  /** Of the key that this process signs with; null: it has none. */
  readonly publicKey: Uint8Array | null;
}

/** Keeps what other processes publish. Of several heads that come while one is being saved only the last is looked at. */
export function createHearing(parts: HearingParts, failed: (scope: LogScope, error: unknown) => void) {
  const waiting = new Map<string, { scope: LogScope; checkpoint: string; epoch: number }>();
  let running: Promise<void> | null = null;
  const work = async (): Promise<void> => {
    for (const [key, { scope, checkpoint, epoch }] of waiting) {
      waiting.delete(key);
      await saveHeard(parts, scope, checkpoint, epoch).catch((error) => failed(scope, error));
    }
  };
  return {
    hear(scope: LogScope, checkpoint: string, epoch: number): void {
      waiting.set(`${scope.organization} ${scope.environment}`, { scope, checkpoint, epoch });
      running ??= work().finally(() => {
        running = null;
      });
    },
    idle: async () => void (await running),
  };
}

/** Saves a head that another process published, where it extends the saved one. An older one, which came late, is passed over. */
async function saveHeard(parts: HearingParts, scope: LogScope, checkpoint: string, epoch: number): Promise<void> {
  const { pins, pool } = parts;
  const pinned = await pins.read(scope);
  if (!pinned) return; // this process has to hear of the log first; see `joining.ts`
  const { saved } = await openPinned(pinned);
  const named = checkpoint.slice(0, checkpoint.indexOf("\n"));
  if (named !== saved.origin) return followAdoption(parts, scope, saved);
  const head = await openHead(checkpoint, verifierKey(named, saved.key.publicKey));
  if (head.size < saved.size || sameHead(head, saved)) return;
  await requireExtends(pool, scope, saved, head, epoch);
  await pins.save(scope, { key: saved.key, checkpoint });
}

/** Pins the head of another origin, where adoptions led to it. Anything else is passed over: anybody with the database can publish a head. */
async function followAdoption(
  { pins, pool, mac, publicKey }: HearingParts,
  scope: LogScope,
  saved: TrustedHead,
): Promise<void> {
  const row = await readLogRow(pool, scope);
  if (!row || !publicKey || !(await isAdopted(pool, scope, row, saved.origin, mac))) return;
  try {
    await openRow(scope, row, mac, publicKey);
  } catch (error) {
    if (error instanceof LogStopped) return; // signed with a key that was made after this process started
    throw error;
  }
  await pins.dropPending(scope);
  await pins.save(scope, { key: verifierKey(row.origin, publicKey), checkpoint: row.checkpoint });
}
