import { type Changes, first, update } from "../../../db/scoped.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { HeldBase } from "../bases/lookup-store.ts";
import { keepChanges } from "../documents/corrections.ts";
import { keepFormerChunks } from "../documents/version-store.ts";
import { indexChunks, type NewChunk, removeChunks } from "../search/index-store.ts";

/** Keeps what was changed by hand, and the former chunks for their citations. */
export async function replaceDocumentChunks(
  ctx: QueryContext,
  base: HeldBase,
  document: string,
  chunks: readonly NewChunk[],
): Promise<void> {
  const revision = await nextRevision(ctx, base, document, chunks[0]?.version ?? 0);
  const kept = await keepChanges(ctx, base.indexes[0], chunks);
  await keepFormerChunks(ctx, base.id, [document]);
  await removeChunks(ctx, base, { documents: [document] });
  const revised = kept.map((chunk) => ({ ...chunk, revision }));
  for (const index of base.indexes) await indexChunks(ctx, index, revised);
  await addDataClasses(ctx, document, kept);
}

async function addDataClasses(
  { scope, db }: QueryContext,
  document: string,
  chunks: readonly NewChunk[],
): Promise<void> {
  const classes = chunks.flatMap(({ corrected_from, data_classes }) => (corrected_from ? (data_classes ?? []) : []));
  if (classes.length === 0) return;
  await db.query(
    `update documents set data_classes = array(select distinct unnest(data_classes || $4::text[]) order by 1)
     where organization = $1 and environment = $2 and id = $3`,
    [scope.organization, scope.environment, document, classes],
  );
}

/** Earlier chunks of the same version keep their citations: new ones get a revision of their own. */
async function nextRevision(
  { scope, db }: QueryContext,
  { id }: { readonly id: string },
  document: string,
  version: number,
): Promise<number> {
  const [row] = await db.query<{ revision: number | null }>(
    `select max(revision)::int as revision from (
       select revision from chunks where organization = $1 and environment = $2 and base = $3 and document = $4 and version = $5
       union all
       select revision from former_chunks where organization = $1 and environment = $2 and document = $4 and version = $5
     ) r`,
    [scope.organization, scope.environment, id, document, version],
  );
  return (row?.revision ?? 0) + 1;
}

/** False: the attempt has lost it. */
export async function endAttempt(
  ctx: QueryContext,
  { document, attempt }: { readonly document: string; readonly attempt: number },
  set: Changes<"documents">,
): Promise<boolean> {
  const ended = await first(
    ctx,
    update(ctx, "documents")
      .set({ ...set, lease_until: null })
      .where("id", "=", document)
      .where("attempt", "=", attempt)
      .where("state", "in", ["queued", "parsing", "indexing"])
      .returning("id"),
  );
  return ended !== undefined;
}
