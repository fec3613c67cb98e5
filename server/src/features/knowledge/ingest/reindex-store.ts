import { first, select, update } from "../../../db/scoped.ts";
import { storedDeciders } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { notFound } from "../../../kernel/problems.ts";
import type { Looking } from "../store.ts";
import { queuedFor } from "./ingest.ts";
import { ingestJob, type Pending } from "./model.ts";

const working: readonly string[] = ["queued", "parsing", "indexing"];

/** Queues a document once more: contents that failed are tried again, those that are served are cut again. Returns its row. */
export async function queueReindex(ctx: Looking & Pick<WriteContext, "now" | "enqueue">, id: string) {
  const row = await first(
    ctx,
    select(ctx, "documents", "d")
      .select(["d.id", "d.state", "d.version", "d.attempt", "d.pending", "d.digest", "d.author", "d.source"])
      .select(["d.file_name", "d.media_type", "d.size", "d.file_digest", "d.url", "d.deciders"])
      .where("d.id", "=", id)
      .forUpdate(),
  );
  if (!row) throw refuse(notFound, "The document was just deleted.");
  if (working.includes(row.state)) return row;
  const { version, digest, author, source, file_name, media_type, size, file_digest, url } = row;
  const deciders = storedDeciders(row.deciders);
  const served = { version, digest, author, source, file_name, media_type, size, file_digest, url, deciders };
  const waiting = row.state === "failed" ? (row.pending as Pending | null) : null;
  const pending = { ...(waiting ?? { what: "chunks", title: null, ...served }), after: row.attempt + 1 };
  const lease_until = new Date(ctx.now + queuedFor);
  const queued = { state: "queued", progress: 0, error: null, attempt: row.attempt + 1, lease_until } as const;
  await first(
    ctx,
    update(ctx, "documents")
      .set({ ...queued, pending: JSON.stringify(pending) })
      .where("id", "=", id),
  );
  ctx.enqueue(ingestJob(ctx.scope, id));
  return { ...row, state: queued.state };
}
