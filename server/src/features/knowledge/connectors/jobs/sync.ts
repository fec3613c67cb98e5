import { addressIn } from "../../../../jobs/payload.ts";
import { Refusal } from "../../../../kernel/errors.ts";
import { workLease } from "../../../../kernel/lease.ts";
import type { JobParts } from "../../../../kernel/machines.ts";
import type { Environment } from "../../../../kernel/principal.ts";
import { conflict, notFound } from "../../../../kernel/problems.ts";
import { findConnection, headersOf } from "../../../admin/public.ts";
import { SourceFault, type SourcePort } from "../../ports.ts";
import { createIntake, type IntakeParts, Lost } from "../intake.ts";
import { countVanished, findItems, markSeen } from "../item-store.ts";
import { finishSync } from "../operations/finish-sync.ts";
import { removeSynced } from "../operations/remove-synced.ts";
import { type ConnectorRow, connectorRows, type SyncRow } from "../resource.ts";
import type { ConnectorKind } from "../source-schemas.ts";
import { listItems } from "../sources/list-items.ts";
import { type LeftOut, leftOutText, type SourceReading } from "../sources/source.ts";
import { openCredentials } from "../store.ts";
import { claimSync, giveBackSync, type HeldSync, renewSync, type SyncEnd } from "../sync-store.ts";

export type SyncJobParts = Pick<JobParts, "db" | "inside" | "clock">;

export interface SyncJobOptions {
  readonly sizes?: IntakeParts["sizes"];
  readonly renewMs?: number;
}

/** If more than half of a source this large vanishes at once, it is probably broken. */
const LARGE = 20;
const removedTogether = 200;
/** Reading pages is slow, so few are stored at a time. */
const sizesOf: Partial<Record<ConnectorKind, IntakeParts["sizes"]>> = {
  website: { items: 20 },
  git: { items: 100 },
  "json-api": { items: 100 },
};

export function createSyncJob(
  parts: SyncJobParts,
  port: SourcePort,
  options: SyncJobOptions = {},
): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const address = addressIn(payload, "sync");
    const row = address && (await claimSync(parts.db, address));
    if (!row) return;
    const held: HeldSync = { ...address, attempt: row.attempt };
    try {
      const { end, memory } = await carryOut(parts, port, options, held, row);
      await parts.inside(finishSync, held, { sync: row.id, attempt: row.attempt, end, memory });
    } catch (error) {
      if (error instanceof Lost || isOver(error)) return;
      await giveBackSync(parts.db, held, error).catch(() => undefined); // without it the lease lapses
      throw error;
    }
  };
}

const isOver = (error: unknown): boolean =>
  error instanceof Refusal && (error.type.code === conflict.code || error.type.code === notFound.code);

interface Ended {
  readonly end: SyncEnd;
  /** Undefined: unchanged. */
  readonly memory?: unknown;
}

async function carryOut(
  parts: SyncJobParts,
  port: SourcePort,
  options: SyncJobOptions,
  held: HeldSync,
  row: Pick<SyncRow, "connector" | "confirm_removals" | "added" | "removed">,
): Promise<Ended> {
  const connector = await connectorRows.find({ db: parts.db, scope: held }, row.connector);
  if (!connector || connector.state === "removing") throw new Lost();
  const stop = new AbortController();
  const access = port.open(held.environment as Environment);
  const lease = keepLease(parts, held, stop, options.renewMs ?? workLease.renewMs);
  const seen: Seen = { partial: null, asBefore: false };
  try {
    const reading = await createReading(parts, port, { held, connector, access, signal: stop.signal, seen });
    const intake = createIntake({
      ...parts,
      held,
      connector: connector.id,
      sizes: { ...sizesOf[connector.kind], ...options.sizes },
    });
    for await (const item of listItems(connector.kind, connector.source, reading)) {
      stop.signal.throwIfAborted();
      await intake.take(item);
    }
    await intake.flush();
    if (seen.partial === null && !seen.asBefore && !connector.keep_removed)
      await removeVanished(parts, held, connector, row, seen);
    const clean = intake.failed() === 0;
    return {
      end: { state: "completed", partial: seen.partial, left_out: leftOutText(seen.leftOut), error: null },
      ...(clean && "memory" in seen ? { memory: seen.memory } : {}),
    };
  } catch (error) {
    if (stop.signal.aborted) throw stop.signal.reason;
    if (!(error instanceof SourceFault)) throw error;
    const { code, detail } = error;
    return { end: { state: "failed", partial: seen.partial, left_out: null, error: { code, detail } } };
  } finally {
    clearInterval(lease);
    await access.close();
  }
}

interface Seen {
  partial: string | null;
  asBefore: boolean;
  /** Undefined: all was listed. */
  gone?: Set<string>;
  listAgain?: () => AsyncIterable<string>;
  leftOut?: LeftOut;
  memory?: unknown;
}

/** Aborts the reading when the lease is lost. */
function keepLease({ db }: SyncJobParts, held: HeldSync, stop: AbortController, everyMs: number): NodeJS.Timeout {
  const renew = async (): Promise<void> => {
    if (!(await renewSync(db, held))) stop.abort(new Lost());
  };
  return setInterval(() => void renew().catch(() => undefined), everyMs).unref(); // one that fails is made up for by the next
}

async function createReading(
  { db, clock }: SyncJobParts,
  port: SourcePort,
  {
    held,
    connector,
    access,
    signal,
    seen,
  }: { held: HeldSync; connector: ConnectorRow; access: SourceReading["access"]; signal: AbortSignal; seen: Seen },
): Promise<SourceReading> {
  const { connection, id, credentials, memory } = connector;
  const stored = connection === null ? undefined : await findConnection(db, port.credentialKey, held, connection);
  if (connection !== null && stored === undefined)
    throw new SourceFault(
      "connection_missing",
      `The connection ${connection} does not exist: add it with POST /v1/admin/connections.`,
    );
  return {
    access,
    signal,
    memory,
    now: () => clock.now(),
    folders: port.folders,
    secret: stored ? headersOf(stored) : null,
    credentials: openCredentials(port.credentialKey, held, id, credentials),
    known: (items) => findItems({ db, scope: held }, id, items),
    partial: (why) => {
      seen.partial ??= why;
    },
    asBefore: () => {
      seen.asBefore = true;
    },
    onlyChanges: () => {
      seen.gone ??= new Set();
    },
    gone: (item) => {
      seen.gone?.add(item);
    },
    listAgain: (names) => {
      seen.listAgain = names;
    },
    leftOut: (list) => {
      seen.leftOut = list;
    },
    remember: (note) => {
      seen.memory = note;
    },
  };
}

/** Refuses to delete more than half of a large source unless a person confirmed it. */
async function removeVanished(
  parts: SyncJobParts,
  held: HeldSync,
  { id, name }: ConnectorRow,
  { confirm_removals }: Pick<SyncRow, "confirm_removals">,
  seen: Seen,
): Promise<void> {
  const here = { db: parts.db, scope: held };
  const gone = seen.gone && [...seen.gone];
  if (seen.listAgain && (await countVanished(here, id, held.id, gone)).vanished > 0)
    for await (const names of batched(seen.listAgain(), removedTogether))
      if (!(await markSeen(here, held, id, names))) throw new Lost();
  const { known, vanished } = await countVanished(here, id, held.id, gone);
  const [now] = await here.db.query<{ added: number; removed: number }>(
    "select added, removed from knowledge_syncs where organization = $1 and environment = $2 and id = $3",
    [held.organization, held.environment, held.id],
  );
  const { added = 0, removed = 0 } = now ?? {};
  const before = known - added + removed;
  if (!confirm_removals && before >= LARGE && (vanished + removed) * 2 > before) {
    const detail =
      `${vanished} of the ${before} items that it brought have vanished from the source. Nothing was deleted. If that is right, ` +
      `start the sync with \`{"connector": "${name}", "confirm_removals": true}\`.`;
    throw new SourceFault("removals_not_confirmed", detail);
  }
  for (let left = vanished; left > 0; left -= removedTogether) {
    const some = { most: removedTogether, ...(gone && { gone }) };
    const { stopped } = await parts.inside(removeSynced, held, { sync: held.id, attempt: held.attempt, ...some });
    if (stopped !== null) throw new SourceFault("connector_stopped", stopped);
  }
}

async function* batched<T>(from: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const one of from) {
    batch.push(one);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
