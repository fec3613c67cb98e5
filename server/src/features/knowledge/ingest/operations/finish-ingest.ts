import { first, select } from "../../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { holdBase } from "../../bases/lookup-store.ts";
import { decidersAfter } from "../../documents/deciders.ts";
import { findSame } from "../../documents/store.ts";
import { keepFormerVersions } from "../../documents/version-store.ts";
import { documentFailed, documentIndexed } from "../../events.ts";
import type { Cut } from "../pieces.ts";
import type { IngestFault, Pending, RowCounts } from "../rules.ts";
import { endAttempt, replaceDocumentChunks } from "../swap.ts";

export interface ReadContents {
  readonly title: string;
  readonly text: string | null;
  readonly fields: Readonly<Record<string, unknown>> | null;
  readonly pages: number | null;
  readonly chunks: readonly Cut[];
  readonly data_classes: readonly string[];
  readonly rows: RowCounts | null;
}

export interface FinishIngest {
  readonly document: string;
  readonly attempt: number;
  readonly pending: Pending;
  /** Null: unchanged. */
  readonly contents: ReadContents | null;
}

export const findWorkedOn = (ctx: ReadContext, { document }: { document: string }) =>
  first(
    ctx,
    select(ctx, "documents", "d").select(["d.id", "d.base", "d.version", "d.external_id"]).where("d.id", "=", document),
  );

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
          title,
          text,
          fields: fields ? JSON.stringify(fields) : null,
          pages,
          version,
          data_classes: [...contents.data_classes],
          row_counts: rows ? JSON.stringify(rows) : null,
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
      document_id: document,
      base_id: base.id,
      base: base.name,
      version,
      chunks: length,
      records: rows?.records ?? 0,
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
  source,
  file_name,
  media_type,
  size,
  file_digest,
  url,
});

export interface FailIngest {
  readonly document: string;
  readonly attempt: number;
  readonly fault: IngestFault;
}

/** The former contents are still served. */
export const failIngest: InsideOperation<FailIngest, { readonly state: "failed" }> = defineInside({
  id: "knowledge.failIngest",
  summary: "Note why a document could not be read",
  permission: exempt("a machine of the service itself"),
  load: (ctx, params: FailIngest) => findWorkedOn(ctx, params),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params: { document } }) => `document:${document}`,
  emits: [documentFailed],
  errors: [conflict],
  async handle(ctx, { params: { document, attempt, fault }, loaded }) {
    const base = await holdBase(ctx, loaded.base);
    const ending = { state: "failed", error: JSON.stringify(fault) } as const;
    if (!(await endAttempt(ctx, { document, attempt }, ending)))
      throw refuse(conflict, "The document is no longer in the hands of this attempt.");
    ctx.emit(documentFailed, { document_id: document, base_id: base.id, base: base.name, ...fault });
    return { state: "failed" as const };
  },
});
