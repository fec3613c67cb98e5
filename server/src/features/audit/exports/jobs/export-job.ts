import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { type AuditRecord, type ExportManifest, recordFilter } from "@aos/proof";
import { Refusal } from "../../../../kernel/errors.ts";
import { workLease } from "../../../../kernel/lease.ts";
import type { JobParts } from "../../../../kernel/machines.ts";
import { type Environment, environments, type Scope } from "../../../../kernel/principal.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { saltFaults } from "../../log/checks.ts";
import { type ExportPort, LogAltered, type LogHead, type SaltedRecord } from "../../ports.ts";
import { writerOf } from "../format.ts";
import { finishExport } from "../operations/finish-export.ts";
import { whyNotExported } from "../rules.ts";
import {
  appendPart,
  areOfAgents,
  claimExport,
  type ExportAddress,
  type ExportEnding,
  type ExportRow,
  giveBackExport,
  type HeldExport,
  readLeaves,
  renewExport,
  type SaltedLeaf,
} from "../store.ts";
import { byPlace, type CheckedLeaf, checkLeaf, createExportTree } from "../tree.ts";

/** Leaves that one statement reads: eight tiles. */
const leavesOfPage = 2_048;
/** Characters of a part of the file: about a megabyte. */
const charactersOfPart = 1_000_000;
/** After so many leaves other work of the process has its turn: few milliseconds. */
const leavesOfTurn = 100;

type Parts = Pick<JobParts, "db" | "inside" | "clock">;

class Lost extends Error {}

interface Held extends HeldExport {
  /** Aborted with {@link Lost}. */
  readonly lost: AbortSignal;
}

export interface ExportJobOptions {
  /** How often the lease is renewed (milliseconds). */
  readonly renewMs?: number;
}

/**
 * Claims an export, writes its file part by part, and ends it. The bytes depend on the log alone. An altered log fails the export with what was found.
 * Any other error releases the export, and the sweep wakes another worker.
 */
export function createExportJob(
  { db, inside, clock }: Parts,
  port: ExportPort,
  { renewMs = workLease.renewMs }: ExportJobOptions = {},
): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const address = addressOf(payload);
    const row = address && (await claimExport(db, address));
    if (!row) return;
    const stop = new AbortController();
    const held: Held = { ...address, attempt: row.attempt, lost: stop.signal };
    const lease = keepLease(db, held, stop, renewMs);
    try {
      const failure = await whyNotExported({ scope: address, db, now: clock.now() }, row);
      const ending = failure === null ? await writeFile(db, port, held, row) : { failure };
      await inside(finishExport, address, { export: row.id, attempt: row.attempt, ending });
    } catch (error) {
      clearInterval(lease); // it would renew what is given back
      if (error instanceof Lost || (error instanceof Refusal && error.type.code === conflict.code)) return;
      await giveBackExport(db, held, error).catch(() => undefined); // without it the lease lapses
      throw error;
    } finally {
      clearInterval(lease);
    }
  };
}

/** Renews the lease however long a statement takes; once it is lost, nothing more is read or written. */
function keepLease(db: Parts["db"], held: HeldExport, stop: AbortController, everyMs: number): NodeJS.Timeout {
  const renew = async (): Promise<void> => {
    if (!(await renewExport(db, held))) stop.abort(new Lost());
  };
  const timer = setInterval(() => void renew().catch(() => undefined), everyMs); // one that fails is made up for by the next
  return timer.unref();
}

async function writeFile(db: Parts["db"], port: ExportPort, held: Held, row: ExportRow): Promise<ExportEnding> {
  try {
    return await writeChecked(db, port, held, row);
  } catch (error) {
    if (error instanceof LogAltered)
      return { failure: `${error.message} Nothing was signed. See docs/operations/audit-exports.md.` };
    throw error;
  }
}

async function writeChecked(db: Parts["db"], port: ExportPort, held: Held, row: ExportRow): Promise<ExportEnding> {
  const { organization, environment } = held;
  const scope = { organization, environment };
  const head = await port.head(scope, row.tree_size);
  const writer = writerOf(row.format, head.origin);
  const file = createFile(writer.head);
  const from = Math.min(row.filter.from_leaf ?? 0, row.tree_size);
  const tree = createExportTree(from, await port.subtrees(scope, from));
  const choose = chooserOf(db, scope, row);
  for (let start = from; start < row.tree_size; start += leavesOfPage) {
    held.lost.throwIfAborted();
    const end = Math.min(row.tree_size, start + leavesOfPage);
    const leaves = await readChecked(db, port, scope, start, end);
    const chosen = await choose(leaves);
    for (const [i, leaf] of leaves.entries()) {
      const told = tree.take(leaf, chosen[i] as boolean);
      if (told) file.add(writer.row(told, leaf.content?.record as AuditRecord));
      if (i % leavesOfTurn === 0) await turn();
      if (file.pending < charactersOfPart) continue;
      if (!(await appendPart(db, held, file.takePart()))) throw new Lost();
    }
  }
  const missing = tree.end(head);
  if (file.pending > 0 && !(await appendPart(db, held, file.takePart()))) throw new Lost();
  return signed(port, row, head, { ...file.end(), ...missing, schema_version: writer.schemaVersion });
}

type Written = Pick<ExportManifest, "schema_version" | "skipped" | "without_record"> & {
  rows: number;
  bytes: number;
  digest: string;
};

async function signed(
  port: ExportPort,
  row: ExportRow,
  head: LogHead,
  { digest, ...written }: Written,
): Promise<ExportEnding> {
  const { rows, bytes } = written;
  const manifest = await port.sign({
    export: row.id,
    format: row.format,
    filter: { ...row.filter },
    ...written,
    sha256: digest,
    origin: head.origin,
    tree_size: head.size,
    root: head.root,
  });
  return { rows, bytes, digest, manifest };
}

/** Leaves `from` up to, without, `end`, each held to its hash in the log. Throws LogAltered. */
export async function readChecked(
  db: Parts["db"],
  port: ExportPort,
  scope: Scope,
  from: number,
  end: number,
): Promise<CheckedLeaf[]> {
  const hashes = await port.leafHashes(scope, from, end);
  const places = byPlace(await readLeaves(db, scope, from, end), from, end);
  const leaves: CheckedLeaf[] = [];
  for (let i = 0; i < hashes.length; i += leavesOfTurn) {
    const some = places.slice(i, i + leavesOfTurn);
    for (const [j, place] of some.entries())
      leaves.push(checkLeaf(place, from + i + j, hashes[i + j] as Uint8Array, scope));
    await checkSalts(db, port, scope, some);
    await turn();
  }
  return leaves;
}

/** Throws LogAltered where a salt was changed, or is missing without a record of its erasure. */
async function checkSalts(
  db: Parts["db"],
  port: ExportPort,
  scope: Scope,
  leaves: readonly (SaltedLeaf | undefined)[],
): Promise<void> {
  const records = leaves.flatMap((leaf): SaltedRecord[] =>
    leaf === undefined || leaf.body === null ? [] : [{ ...leaf, body: leaf.body }],
  );
  for (const [id, fault] of await saltFaults(db, scope, records, port))
    throw new LogAltered(`The record ${id} of the log ${fault}.`);
}

/** Which leaves an export asks for. The records themselves decide, and not the search index. */
function chooserOf(
  db: Parts["db"],
  scope: Scope,
  { filter }: ExportRow,
): (leaves: readonly CheckedLeaf[]) => Promise<boolean[]> {
  const fits = recordFilter(filter);
  const { agents } = filter;
  return async (leaves) => {
    const chosen = leaves.map(({ content, index }) => content !== null && fits(content.record, index));
    if (agents === undefined) return chosen;
    const asked = leaves.flatMap(({ content }, i) => (chosen[i] && content ? [content.record] : []));
    const seen = (await areOfAgents(db, scope, agents, asked)).values();
    return chosen.map((one) => one && seen.next().value === true);
  };
}

/** The file as it grows: at most a part of it is in memory. */
function createFile(head: string) {
  const hash = createHash("sha256");
  let text = head;
  let rowsOfPart = 0;
  let n = 0;
  let rows = 0;
  let bytes = 0;
  return {
    get pending() {
      return text.length;
    },
    add(line: string): void {
      text += line;
      rowsOfPart++;
      rows++;
    },
    takePart(): { n: number; rows: number; data: Buffer } {
      const data = Buffer.from(text);
      const part = { n: n++, rows: rowsOfPart, data };
      hash.update(data);
      bytes += data.length;
      text = "";
      rowsOfPart = 0;
      return part;
    },
    end: () => ({ rows, bytes, digest: hash.digest("hex") }),
  };
}

function addressOf(payload: unknown): ExportAddress | undefined {
  const { organization, environment, export: id } = (payload ?? {}) as Record<string, unknown>;
  if (typeof organization !== "string" || typeof id !== "string" || !environments.includes(environment as Environment))
    return undefined;
  return { organization, environment: environment as Environment, id };
}
