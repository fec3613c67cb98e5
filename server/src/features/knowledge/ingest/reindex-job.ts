import { wake } from "../../../jobs/queue.ts";
import { Refusal } from "../../../kernel/errors.ts";
import { workLease } from "../../../kernel/lease.ts";
import type { JobHandler, Sweep } from "../../../kernel/machines.ts";
import { conflict } from "../../../kernel/problems.ts";
import { finishReindex } from "../operations/finish-reindex.ts";
import { removeFormerIndex } from "../operations/remove-former-index.ts";
import { type StoreGeneration, storeGeneration } from "../operations/store-generation.ts";
import { fetchFile, inFolder } from "./files.ts";
import { reindexJob } from "./model.ts";
import { DocumentFault, type ParsedDocument, parseDocument, plainDocument } from "./parsing.ts";
import { type Cut, cutDocument } from "./pieces.ts";
import {
  claimReindex,
  listFormer,
  listIdleReindexes,
  mostReindexTries,
  type ReindexedBase,
  readToReindex,
  renewReindex,
  type ToReindex,
} from "./reindex-base-store.ts";
import { soundText } from "./sound.ts";
import { addressOf } from "./store.ts";
import type { IngestParts } from "./working.ts";

/** Documents that one statement reads, and that one call stores at most; chunks after which it stores what it has. */
const documentsOfStep = 50;
const chunksOfStep = 500;
/** How long a base waits whose work failed, twice as long with each failure in a row (seconds). */
const pauseSeconds = 15;
const longestPauseSeconds = 600;

/**
 * Builds the next generation of a base in bounded steps, lets searches read it, and removes the former one. What a killed worker left behind is taken up at
 * the document where it stood.
 */
export function createReindexJob(parts: IngestParts): JobHandler {
  let running = false;
  return async (payload) => {
    const address = addressOf(payload, "base");
    if (!address || running) return; // the sweep wakes once more
    running = true;
    try {
      // A base that is to have another generation meanwhile begins anew.
      for (;;) {
        const base = await claimReindex(parts.db, address);
        if (!base || (await reindex(parts, base))) return;
      }
    } finally {
      running = false;
    }
  };
}

/** One that is given up waits for nothing. */
const pauseOf = ({ tries }: ReindexedBase): number =>
  tries < mostReindexTries ? Math.min(longestPauseSeconds, pauseSeconds * 2 ** (tries - 1)) : 0;

/** Whether nothing is left to do here. */
async function reindex(parts: IngestParts, base: ReindexedBase): Promise<boolean> {
  const { db } = parts;
  // A lease that cannot be renewed lapses.
  const timer = setInterval(() => void renewReindex(db, base).catch(() => undefined), workLease.renewMs);
  try {
    if (base.next_generation !== null) await build(parts, base, base.next_generation);
    await removeFormer(parts, base, base.next_generation ?? base.generation);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.type.code === conflict.code) return !(await renewReindex(db, base, 0));
    await renewReindex(db, base, pauseOf(base)).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

async function build(parts: IngestParts, base: ReindexedBase, next: number): Promise<void> {
  const { db, inside } = parts;
  const ctx = { scope: base, db };
  const held = { base: base.id, attempt: base.attempt, next };
  let batch: StoreGeneration["documents"][number][] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await inside(storeGeneration, base, { ...held, documents: batch });
    batch = [];
  };
  for (let { after } = base; ; ) {
    const documents = await readToReindex(ctx, base.id, after, documentsOfStep);
    for (const one of documents) {
      batch.push({ id: one.id, version: one.version, chunks: await cutAgain(parts, base, one) });
      after = one.id;
      if (batch.reduce((sum, { chunks }) => sum + chunks.length, 0) >= chunksOfStep) await flush();
    }
    await flush();
    if (documents.length < documentsOfStep) break;
  }
  await inside(finishReindex, base, held);
}

async function cutAgain(parts: IngestParts, base: ReindexedBase, one: ToReindex): Promise<readonly Cut[]> {
  const { title, external_id, text, fields } = one;
  if (text === null && fields === null) return [];
  const parsed = (await parsedAgain(parts, base, one)) ?? plainDocument(title, text ?? "");
  const longest = base.settings.chunk_length;
  return (await cutDocument(parsed, { title: title || (external_id ?? ""), fields, longest })).chunks;
}

/** What a file says with its headings, tables and pages; null where it no longer says what the document does. */
async function parsedAgain(
  { db }: IngestParts,
  base: ReindexedBase,
  { id: document, version, text, file_digest, file_name: fileName, media_type: mediaType }: ToReindex,
): Promise<ParsedDocument | null> {
  if (file_digest === null || text === null) return null;
  return inFolder(async (folder) => {
    const path = await fetchFile({ scope: base, db }, { document, version }, folder);
    try {
      const parsed = await parseDocument({ path, mediaType, fileName });
      return soundText(parsed.text) === text ? { ...parsed, text } : null;
    } catch (error) {
      if (error instanceof DocumentFault) return null;
      throw error;
    }
  });
}

async function removeFormer({ db, inside }: IngestParts, base: ReindexedBase, generation: number): Promise<void> {
  const { id, attempt } = base;
  for (let after = ""; ; ) {
    const documents = await listFormer({ scope: base, db }, id, generation, { after, take: documentsOfStep });
    await inside(removeFormerIndex, base, { base: id, attempt, documents });
    const last = documents.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/** Wakes workers for bases that nobody works on. */
export const reindexSweep: Sweep = {
  name: "knowledge.reindex",
  async run({ db }) {
    const idle = await listIdleReindexes(db, 20);
    await wake(
      db,
      idle.map(({ id, ...scope }) => reindexJob(scope, id)),
    );
  },
};
