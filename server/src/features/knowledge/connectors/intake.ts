import type { JobParts } from "../../../kernel/machines.ts";
import { SourceFault } from "../ports.ts";
import { type FailedItem, findItems, type KnownItem, markSeen, renewItems, type SeenItem } from "./item-store.ts";
import { storeSynced } from "./operations/store-synced.ts";
import type { SourceItem } from "./sources/source.ts";
import type { HeldSync } from "./sync-store.ts";
import type { SyncedItem } from "./synced.ts";

/** Another worker has the sync, or it was ended. */
export class Lost extends Error {}

export interface IntakeParts extends Pick<JobParts, "db" | "inside"> {
  readonly held: HeldSync;
  readonly connector: string;
  readonly sizes?: Partial<typeof standard>;
}

const standard = { items: 500, bytes: 32 * 1_048_576, stored: 100 };
const lanes = 4;
/** Unreachable items in a row after which the source counts as gone. */
const MOST_UNREACHABLE = 5;

export function createIntake({ db, inside, held, connector, sizes }: IntakeParts) {
  const { items: mostItems, bytes: mostBytes, stored: mostStored } = { ...standard, ...sizes };
  const here = { db, scope: held };
  let batch: SourceItem[] = [];
  let bytes = 0;
  let unreachable = 0;
  let failed = 0;

  const seen = async (items: readonly SeenItem[]): Promise<void> => {
    const names = items.map(({ item }) => item);
    if (names.length > 0 && !(await markSeen(here, held, connector, names))) throw new Lost();
  };
  const store = async (items: readonly SyncedItem[], failures: readonly FailedItem[]): Promise<void> => {
    failed += failures.length;
    for (let at = 0; at === 0 || at < items.length; at += mostStored) {
      const some = { items: items.slice(at, at + mostStored), failures: at === 0 ? failures : [] };
      if (some.items.length + some.failures.length === 0) return;
      const { refused, stopped } = await inside(storeSynced, held, { sync: held.id, attempt: held.attempt, ...some });
      if (stopped !== null) throw new SourceFault("connector_stopped", stopped);
      failed += refused;
    }
  };

  const flush = async (): Promise<void> => {
    const taken = batch;
    [batch, bytes] = [[], 0];
    if (taken.length === 0) return;
    const known = await findItems(
      here,
      connector,
      taken.map(({ item }) => item),
    );
    const { same, open } = compared(taken, known, held.id);
    await seen(same);
    const read = await readAll(open, known);
    await seen(read.same);
    await renewItems(here, connector, read.same);
    await store(read.changed, read.failures);
    unreachable = read.unreachable ? unreachable + read.failures.length : 0;
    const last = read.failures.at(-1);
    if (last && unreachable >= MOST_UNREACHABLE)
      throw new SourceFault(last.code, `${last.detail} ${unreachable} items in a row could not be read.`);
  };

  return {
    async take(item: SourceItem): Promise<void> {
      batch.push(item);
      bytes += item.size;
      if (batch.length >= mostItems || bytes >= mostBytes) await flush();
    },
    flush,
    failed: () => failed,
  };
}

/** Items that this sync has seen before are in neither list. */
function compared(items: readonly SourceItem[], known: ReadonlyMap<string, KnownItem>, sync: string) {
  const same: SeenItem[] = [];
  const open: SourceItem[] = [];
  for (const one of items) {
    const before = known.get(one.item);
    if (one.fingerprint === null || before?.fingerprint !== one.fingerprint) open.push(one);
    else if (before.seen_in !== sync) same.push(before);
  }
  return { same, open };
}

async function readAll(items: readonly SourceItem[], known: ReadonlyMap<string, KnownItem>) {
  const same: SeenItem[] = [];
  const changed: SyncedItem[] = [];
  const failures: FailedItem[] = [];
  let reached = false;
  let inARow = 0;
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let one = items[next++]; one !== undefined && inARow < MOST_UNREACHABLE; one = items[next++]) {
      const { item } = one;
      try {
        const read = await one.read();
        [reached, inARow] = [true, 0];
        if (read === undefined) continue;
        const { fingerprint, detail = null, contents } = read;
        if (contents !== null && known.get(item)?.fingerprint !== fingerprint)
          changed.push({ item, fingerprint, detail, contents });
        else same.push({ item, fingerprint, detail });
      } catch (error) {
        if (!(error instanceof SourceFault)) throw error;
        inARow = error.unreachable ? inARow + 1 : 0;
        reached ||= !error.unreachable;
        failures.push({ item, code: error.code, detail: error.detail });
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { same, changed, failures, unreachable: inARow >= MOST_UNREACHABLE || (!reached && failures.length > 0) };
}
