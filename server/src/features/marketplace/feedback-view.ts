import { isoTime } from "../../kernel/clock.ts";
import type { RatingRow } from "./rating-store.ts";
import type { ReportRow } from "./report-store.ts";
import type { ListingReport, ListingReview } from "./schemas.ts";

/** A rating as callers read it. */
export const ratingView = ({ member, stars, body, version, installed, ...row }: RatingRow): ListingReview => ({
  ...{ member, stars, text: body, version, installed },
  ...{ created_at: isoTime(row.created_at), updated_at: isoTime(row.updated_at) },
});

/** A report of abuse as reviewers read it. */
export const reportView = ({ id: report_id, listing_id, version, kind, detail, ...row }: ReportRow): ListingReport => ({
  ...{ report_id, listing_id, version, kind, detail, reported_by: row.reported_by },
  created_at: isoTime(row.created_at),
});
