import { DocumentFault, type ParsedDocument, parseDocument, plainDocument } from "@aos/documents";
import { addressIn } from "../../../../jobs/payload.ts";
import { wake } from "../../../../jobs/queue.ts";
import { Refusal } from "../../../../kernel/errors.ts";
import { workLease } from "../../../../kernel/lease.ts";
import type { JobHandler, Sweep } from "../../../../kernel/machines.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { fetchFile, inFolder } from "../files.ts";
import {
  claimReindex,
  listFormer,
  listIdleReindexes,
  mostReindexTries,
  type ReindexedBase,
  readToReindex,
  renewReindex,
  type ToReindex,
} from "../generation-store.ts";
import {
  finishReindex,
  removeFormerIndex,
  type StoreGeneration,
  storeGeneration,
} from "../operations/build-generation.ts";
import { type Cut, cutDocument, soundText } from "../pieces.ts";
import type { IngestParts } from "../progress.ts";
import { reindexJob } from "../rules.ts";

/** Documents that one statement reads, and that one call stores at most; chunks after which it stores what it has. */
const documentsOfStep = 50;
const chunksOfStep = 500;
/** Doubles with each failure in a row (seconds). */
const pauseSeconds = 15;
const longestPauseSeconds = 600;

/** In bounded steps. A killed worker's progress is taken up where it stood. */
export function createReindexJob(parts: IngestParts): JobHandler {
  let running = false;
  return async (payload) => {
    const address = addressIn(payload, "base");
    if (!address || running) return; // the sweep wakes once more
    running = true;
    try {
      // A base that is to have another generation meanwhile begins again.
      for (;;) {
        const base = await claimReindex(parts.db, address);
        if (!base || (await reindex(parts, base))) return;
      }
    } finally {
      running = false;
    }
  };
}

const pauseOf = ({ tries }: ReindexedBase): number =>
  tries < mostReindexTries ? Math.min(longestPauseSeconds, pauseSeconds * 2 ** (tries - 1)) : 0;

/** Returns whether nothing is left. */
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

/** Null: the file no longer says what the document does. */
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
