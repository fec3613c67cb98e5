import { Refusal } from "../../../kernel/errors.ts";
import { workLease } from "../../../kernel/lease.ts";
import type { JobParts } from "../../../kernel/machines.ts";
import { type Environment, environments } from "../../../kernel/principal.ts";
import { conflict, notFound } from "../../../kernel/problems.ts";
import { findConnection, headersOf } from "../../admin/public.ts";
import { SourceFault, type SourcePort } from "../ports.ts";
import { type ConnectorRow, findConnectorById } from "./connector-store.ts";
import { openCredentials } from "./credentials.ts";
import { createIntake, type IntakeParts, Lost } from "./intake.ts";
import { countVanished, findItems } from "./item-store.ts";
import { finishSync } from "./operations/finish-sync.ts";
import { removeSynced } from "./operations/remove-synced.ts";
import { listItems } from "./sources/index.ts";
import type { Looking } from "./sources/source.ts";
import {
  claimSync,
  giveBackSync,
  type HeldSync,
  renewSync,
  type SyncAddress,
  type SyncEnd,
  type SyncRow,
} from "./sync-store.ts";

export type SyncJobParts = Pick<JobParts, "db" | "inside">;

/** Standards for tests to change. */
export interface SyncJobOptions {
  readonly sizes?: IntakeParts["sizes"];
  /** How often the lease is renewed while a source takes its time (milliseconds). */
  readonly renewMs?: number;
}

/** From so many items on, a source of which more than half vanished at once is suspected of being broken. */
const LARGE = 20;
/** Documents that are deleted together. */
const removedTogether = 200;
/** Pages are stored a few at a time, since reading each takes long. */
const sizesOf = { website: { items: 20 } } as const;

/** The handler of the job: takes a sync up, compares the source with what it brought before, and ends the sync. What throws gives it back. */
export function createSyncJob(
  parts: SyncJobParts,
  port: SourcePort,
  options: SyncJobOptions = {},
): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const address = addressOf(payload);
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

/** Another worker has the sync, or its base is gone. */
const isOver = (error: unknown): boolean =>
  error instanceof Refusal && (error.type.code === conflict.code || error.type.code === notFound.code);

interface Ended {
  readonly end: SyncEnd;
  /** Undefined: what was noted before stays. */
  readonly memory?: unknown;
}

async function carryOut(
  parts: SyncJobParts,
  port: SourcePort,
  options: SyncJobOptions,
  held: HeldSync,
  row: Pick<SyncRow, "connector" | "confirm_removals" | "added" | "removed">,
): Promise<Ended> {
  const connector = await findConnectorById({ db: parts.db, scope: held }, row.connector);
  if (!connector || connector.state === "removing") throw new Lost();
  const stop = new AbortController();
  const access = port.open(held.environment as Environment);
  const lease = keepLease(parts, held, stop, options.renewMs ?? workLease.renewMs);
  const seen: Seen = { partial: null, asBefore: false };
  try {
    const looking = await createLooking(parts, port, { held, connector, access, signal: stop.signal, seen });
    const intake = createIntake({
      ...parts,
      held,
      connector: connector.id,
      sizes: { ...(connector.kind === "website" && sizesOf.website), ...options.sizes },
    });
    for await (const item of listItems(connector.kind, connector.source, looking)) {
      stop.signal.throwIfAborted();
      await intake.take(item);
    }
    await intake.flush();
    if (seen.partial === null && !seen.asBefore && !connector.keep_removed)
      await removeVanished(parts, held, connector, row);
    const clean = intake.failed() === 0;
    return {
      end: { state: "completed", partial: seen.partial, error: null },
      ...(clean && "memory" in seen ? { memory: seen.memory } : {}),
    };
  } catch (error) {
    if (stop.signal.aborted) throw stop.signal.reason;
    if (!(error instanceof SourceFault)) throw error;
    return { end: { state: "failed", partial: seen.partial, error: { code: error.code, detail: error.detail } } };
  } finally {
    clearInterval(lease);
    await access.close();
  }
}

interface Seen {
  partial: string | null;
  asBefore: boolean;
  memory?: unknown;
}

/** Renews the lease while the source takes its time; where it is lost, the reading is broken off. */
function keepLease({ db }: SyncJobParts, held: HeldSync, stop: AbortController, everyMs: number): NodeJS.Timeout {
  const renew = async (): Promise<void> => {
    if (!(await renewSync(db, held))) stop.abort(new Lost());
  };
  return setInterval(() => void renew().catch(() => undefined), everyMs).unref(); // one that fails is made up for by the next
}

async function createLooking(
  { db }: SyncJobParts,
  port: SourcePort,
  {
    held,
    connector,
    access,
    signal,
    seen,
  }: { held: HeldSync; connector: ConnectorRow; access: Looking["access"]; signal: AbortSignal; seen: Seen },
): Promise<Looking> {
  const { connection, id, credentials, memory } = connector;
  const stored = connection === null ? undefined : await findConnection(db, port.credentialKey, held, connection);
  if (connection !== null && stored === undefined)
    throw new SourceFault(
      "connection_missing",
      `The connection ${connection} does not exist: add it with POST /v1/admin/connections.`,
    );
  return {
    ...{ access, signal, memory, folders: port.folders },
    secret: stored ? headersOf(stored) : null,
    credentials: openCredentials(port.credentialKey, held, id, credentials),
    known: (items) => findItems({ db, scope: held }, id, items),
    partial: (why) => {
      seen.partial ??= why;
    },
    asBefore: () => {
      seen.asBefore = true;
    },
    remember: (note) => {
      seen.memory = note;
    },
  };
}

/** Deletes what the source no longer has. Throws where so much vanished that the source is more likely broken, unless a person confirmed it. */
async function removeVanished(
  { db, inside }: SyncJobParts,
  held: HeldSync,
  { id, name }: ConnectorRow,
  { confirm_removals }: Pick<SyncRow, "confirm_removals">,
): Promise<void> {
  const here = { db, scope: held };
  const { known, vanished } = await countVanished(here, id, held.id);
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
    const most = removedTogether;
    const { stopped } = await inside(removeSynced, held, { sync: held.id, attempt: held.attempt, most });
    if (stopped !== null) throw new SourceFault("connector_stopped", stopped);
  }
}

function addressOf(payload: unknown): SyncAddress | undefined {
  const { organization, environment, sync: id } = (payload ?? {}) as Record<string, unknown>;
  if (typeof organization !== "string" || typeof id !== "string" || !environments.includes(environment as Environment))
    return undefined;
  return { organization, environment: environment as Environment, id };
}
