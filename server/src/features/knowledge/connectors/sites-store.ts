import { all, select, sql } from "../../../db/scoped.ts";
import type { QueryContext } from "../../../kernel/db.ts";

/** Hosts of the sites, feeds, repositories and interfaces from which connectors fill these bases (by id or name): replies may link to them. */
export async function sitesOfBases(ctx: QueryContext, bases: readonly string[]): Promise<string[]> {
  if (bases.length === 0) return [];
  const query = select(ctx, "knowledge_connectors", "r")
    .select("r.source")
    .where("r.kind", "in", ["website", "feed", "git", "json-api"])
    .where("r.state", "<>", "removing")
    .where(
      "r.base",
      "in",
      select(ctx, "knowledge_bases", "b")
        .select("b.id")
        .where(sql<boolean>`(b.id = any(${bases}::text[]) or b.name = any(${bases}::text[]))`) as never,
    );
  const sources = (await all(ctx, query)).map(({ source }) => source as Source);
  const addresses = sources.flatMap(({ url, sitemap, link, origins = [] }) => [url, sitemap, link, ...origins]);
  return [...new Set(addresses.flatMap((address) => URL.parse(address ?? "")?.hostname.replace(/\.$/, "") ?? []))];
}

interface Source {
  readonly url?: string;
  readonly sitemap?: string;
  readonly link?: string;
  readonly origins?: readonly string[];
}
