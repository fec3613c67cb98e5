import { all, first, insert, newestFirst, type Row, select } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Here } from "./listing-store.ts";
import type { ListingReport } from "./schemas.ts";

export interface ReportRow extends Omit<Row<"marketplace_reports">, "organization" | "kind"> {
  readonly kind: ListingReport["kind"];
}

export async function insertReport(
  ctx: WriteContext,
  report: Pick<ReportRow, "id" | "listing_id" | "version" | "kind" | "detail">,
): Promise<ReportRow> {
  const row = { ...report, reported_by: ctx.principal.id, created_at: new Date(ctx.now) };
  const query = insert(ctx, "marketplace_reports", row).returningAll().$castTo<ReportRow>();
  return (await first(ctx, query)) as ReportRow;
}

/** A page of the reports of a listing, newest first. */
export function listReportRows(ctx: Here, listing: string, page: PageRequest): Promise<ReportRow[]> {
  const query = select(ctx, "marketplace_reports", "r").selectAll().where("r.listing_id", "=", listing);
  return all(ctx, newestFirst(query.$castTo<ReportRow>(), "r.id", page));
}
