import { refuse } from "../../kernel/errors.ts";
import { readerTokens, visibleText } from "./access.ts";
import { findNamed } from "./deletion-store.ts";
import { findSame, keyOf } from "./document-store.ts";
import { documentExists } from "./errors.ts";
import type { Seeing } from "./store.ts";

/** What tells a document from the others of its base. */
type Named = Parameters<typeof keyOf>[0];

/** Which of these would be written over a document that the caller may not read, by their keys. What somebody wrote last, they may write again: imports are repeated. */
export async function findTaken(ctx: Seeing, base: string, given: readonly Named[]): Promise<ReadonlySet<string>> {
  const tokens = readerTokens(ctx.principal);
  if (tokens === null || given.length === 0) return new Set();
  const { organization, environment } = ctx.scope;
  const external = given.flatMap(({ external_id }) => external_id ?? []);
  const digests = given.flatMap(({ external_id, digest }) => (external_id === null ? (digest ?? []) : []));
  const values: unknown[] = [organization, environment, base, external, digests, ctx.principal.id];
  const seen = visibleText([tokens], ["d.readers"], (value) => `$${values.push(value)}`);
  const rows = await ctx.db.query<Named>(
    `select d.external_id, d.digest from documents d
     where d.organization = $1 and d.environment = $2 and d.base = $3 and d.author <> $6 and not ${seen}
       and (d.external_id = any($4::text[]) or d.external_id is null and d.digest = any($5::text[]))`,
    values,
  );
  return new Set(rows.map(keyOf));
}

/** Refuses what would be written over a document that the caller may not read. */
export async function refuseTaken(ctx: Seeing, base: string, given: Named): Promise<void> {
  if ((await findTaken(ctx, base, [given])).size > 0) throw refuse(documentExists, takenDetail(given));
}

export const takenDetail = ({ external_id }: Named): string =>
  external_id === null
    ? "Another document of the base, which you may not read, says the same. Add nothing, or ask an admin."
    : "A document of the base, which you may not read, has this external id. Choose another one, or ask an admin.";

/** Refuses that a document comes to say what another one without an external id says. That one is named to whoever may read it. */
export async function refuseSame(ctx: Seeing, base: string, id: string, digest: string, what: string): Promise<void> {
  const same = await findSame(ctx, base, id, digest);
  if (same === undefined) return;
  if (!(await findNamed(ctx, base, [same])).has(same))
    throw refuse(documentExists, takenDetail({ external_id: null, digest }));
  throw refuse(documentExists, `The document ${same} says ${what}. Use that one, or delete one of the two.`, {
    members: { document_id: same },
  });
}
