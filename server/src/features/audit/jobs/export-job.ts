import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { Refusal } from "../../../kernel/errors.ts";
import type { JobParts } from "../../../kernel/machines.ts";
import { type Environment, environments } from "../../../kernel/principal.ts";
import { conflict } from "../../../kernel/problems.ts";
import { writerOf } from "../export-model.ts";
import {
  appendPart,
  claimExport,
  type ExportAddress,
  type ExportEnding,
  type ExportRow,
  giveBackExport,
  type HeldExport,
  readLeaves,
  renewExport,
} from "../export-store.ts";
import { finishExport } from "../operations/finish-export.ts";
import type { ExportPort } from "../ports.ts";

/** Leaves of a page, and characters of a part of the file: about a megabyte. */
const leavesOfPage = 2_000;
const charactersOfPart = 1_000_000;
/** After so many rows other work of the process has its turn: few milliseconds. */
const rowsOfTurn = 100;
/** A lease of 60 s is renewed when it is so old (milliseconds), even while nothing is written. */
const renewAfterMs = 15_000;

type Parts = Pick<JobParts, "db" | "inside" | "clock">;

/** Another worker has the export. */
class Lost extends Error {}

/**
 * The handler of the job: takes an export up, writes its file part by part, and ends it. Same export, same bytes, whoever writes it and however often: they depend
 * on the log alone. A wake-up that finds nothing to do is no error; what throws gives the export back, and the sweep wakes another worker.
 */
export function createExportJob({ db, inside, clock }: Parts, port: ExportPort): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const address = addressOf(payload);
    const row = address && (await claimExport(db, address));
    if (!row) return;
    const held: HeldExport = { ...address, attempt: row.attempt };
    try {
      const ending = await writeFile({ db, inside, clock }, port, held, row);
      await inside(finishExport, address, { export: row.id, attempt: row.attempt, ending });
    } catch (error) {
      if (error instanceof Lost || (error instanceof Refusal && error.type.code === conflict.code)) return;
      await giveBackExport(db, held).catch(() => undefined); // without it the lease lapses
      throw error;
    }
  };
}

async function writeFile({ db, clock }: Parts, port: ExportPort, held: HeldExport, row: ExportRow): Promise<ExportEnding> {
  const { organization, environment } = held;
  const scope = { organization, environment };
  const head = await port.head(scope, row.tree_size);
  const writer = writerOf(row.format, port, scope, head.origin);
  const file = createFile(writer.head);
  let seen = clock.now();
  const write = async (): Promise<void> => {
    if (!(await appendPart(db, held, file.takePart()))) throw new Lost();
    seen = clock.now();
  };
  for (let from = row.filter.from_leaf ?? 0; from < row.tree_size; ) {
    const page = await readLeaves(db, scope, row.filter, { from, end: row.tree_size, take: leavesOfPage });
    for (const leaf of page.leaves) {
      file.add(writer.row(leaf));
      if (file.rows % rowsOfTurn === 0) await turn();
      if (file.pending >= charactersOfPart) await write();
    }
    from = page.next;
    if (clock.now() - seen > renewAfterMs) {
      if (!(await renewExport(db, held))) throw new Lost();
      seen = clock.now();
    }
  }
  if (file.pending > 0) await write();
  const { rows, bytes, digest } = file.end();
  const manifest = await port.sign({
    export: row.id,
    format: row.format,
    schema_version: writer.schemaVersion,
    filter: { ...row.filter },
    rows,
    bytes,
    sha256: digest,
    origin: head.origin,
    tree_size: head.size,
    root: head.root,
  });
  return { rows, bytes, digest, manifest };
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
    /** Characters that stand in no part yet. */
    get pending() {
      return text.length;
    },
    get rows() {
      return rows;
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
  if (typeof organization !== "string" || typeof id !== "string" || !environments.includes(environment as Environment)) return undefined;
  return { organization, environment: environment as Environment, id };
}
