import { first, select } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { decidersAfter } from "../deciders.ts";
import { findSame } from "../document-store.ts";
import { documentIndexed } from "../events.ts";
import type { Pending, RowCounts } from "../ingest/model.ts";
import type { Cut } from "../ingest/pieces.ts";
import { endAttempt, replaceDocumentChunks } from "../ingest/swap.ts";
import { holdBase } from "../store.ts";
import { keepFormerVersions } from "../version-store.ts";

/** What came of the contents. */
export interface ReadContents {
  readonly title: string;
  readonly text: string | null;
  readonly fields: Readonly<Record<string, unknown>> | null;
  readonly pages: number | null;
  readonly chunks: readonly Cut[];
  readonly data_classes: readonly string[];
  /** Of a file with rows. */
  readonly rows: RowCounts | null;
}

export interface FinishIngest {
  readonly document: string;
  readonly attempt: number;
  readonly pending: Pending;
  /** Null: the contents are those that the document has. */
  readonly contents: ReadContents | null;
}

/** The row of a document that a job works on, with its base. */
export const findWorkedOn = (ctx: ReadContext, { document }: { document: string }) =>
  first(
    ctx,
    select(ctx, "documents", "d").select(["d.id", "d.base", "d.version", "d.external_id"]).where("d.id", "=", document),
  );

/** Puts the contents that were parsed in the place of what is served. */
export const finishIngest: InsideOperation<FinishIngest, { readonly chunks: number }> = defineInside({
  id: "knowledge.finishIngest",
  summary: "Serve the new contents of a document",
  permission: exempt("a machine of the service itself"),
  load: (ctx, params: FinishIngest) => findWorkedOn(ctx, params),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  // Commits to the SHA-256 of the bytes.
  audit: ({ params: { document, pending }, output }) => ({
    object: `document:${document}`,
    given: output ? pending.file_digest : null,
  }),
  emits: [documentIndexed],
  errors: [conflict],
  async handle(ctx, { params: { document, attempt, pending, contents }, loaded }): Promise<{ chunks: number }> {
    const base = await holdBase(ctx, loaded.base);
    const now = new Date(ctx.now);
    const done = { state: "indexed", progress: 1, error: null, pending: null } as const;
    const { version } = pending;
    if (contents && version > loaded.version) await keepFormerVersions(ctx, [document]);
    const { title, text, fields, pages, rows } = contents ?? {};
    const digest = await digestFor(ctx, loaded, pending);
    const held = await endAttempt(
      ctx,
      { document, attempt },
      {
        ...done,
        ...(contents && {
          ...{ title, text, fields: fields ? JSON.stringify(fields) : null, pages, version },
          ...{ data_classes: [...contents.data_classes], row_counts: rows ? JSON.stringify(rows) : null },
        }),
        ...(contents &&
          pending.what === "contents" && {
            ...sourceOf(pending),
            digest,
            author: pending.author,
            updated_at: now,
            deciders: decidersAfter(pending),
          }),
      },
    );
    if (!held) throw refuse(conflict, "The document is no longer in the hands of this attempt.");
    if (!contents) return { chunks: 0 };
    const chunks = contents.chunks.map((chunk) => ({ ...chunk, document, version }));
    await replaceDocumentChunks(ctx, base, document, chunks);
    const { length } = chunks;
    ctx.emit(documentIndexed, {
      ...{ document_id: document, base_id: base.id, base: base.name, version },
      ...{ chunks: length, records: rows?.records ?? 0 },
    });
    return { chunks: length };
  },
});

/** No two without an external id have the same: where another came first, the bytes have theirs all the same. */
async function digestFor(
  ctx: WriteContext,
  { id, base, external_id }: { id: string; base: string; external_id: string | null },
  { digest }: Pending,
): Promise<string | null> {
  const same = external_id === null && digest !== null && (await findSame(ctx, base, id, digest));
  return same ? null : digest;
}

const sourceOf = ({ source, file_name, media_type, size, file_digest, url }: Pending) => ({
  ...{ source, file_name, media_type, size, file_digest, url },
});
