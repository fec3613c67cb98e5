import type { ReadContext, WriteContext } from "../../kernel/context.ts";

/** A record of a knowledge base: a document with fields, known by the id that its own system gave it. */
export interface RecordRow {
  id: string;
  external_id: string;
  fields: Record<string, unknown>;
}

/** A record of the call's environment by its base's name and its external id. */
export async function findRecord(ctx: ReadContext | WriteContext, base: string, externalId: string): Promise<RecordRow | undefined> {
  const rows = await ctx.db.query<RecordRow>(
    `select d.id, d.external_id, d.fields
     from knowledge_bases b join documents d on d.organization = b.organization and d.environment = b.environment and d.base = b.id
     where b.organization = $1 and b.environment = $2 and b.name = $3 and d.external_id = $4 and d.fields is not null`,
    [ctx.scope.organization, ctx.scope.environment, base, externalId],
  );
  return rows[0];
}
