import { isId } from "../../../kernel/ids.ts";
import { defineRows, type StoredRow } from "../../../resources/rows.ts";
import { erasedWithRow, evidence, ownTables, untilRemoved } from "../../../resources/tables.ts";

const decided = erasedWithRow("It names the members who submitted and reviewed what others install.");

export const owned = ownTables({
  marketplace_listings: {
    keeps: evidence("A withdrawn listing keeps its row: installs and recalls name it."),
    personal: { columns: ["created_by"], erased: decided },
  },
  marketplace_versions: {
    keeps: evidence("Installs and recalls name a version, by the digest of its signed file."),
    personal: {
      columns: ["reason", "note", "submitted_by", "submitters", "reviewed_by", "deciders", "file"],
      erased: decided,
    },
  },
  marketplace_ratings: {
    keeps: untilRemoved("One row for each member and listing; rating it again replaces the row."),
    personal: {
      columns: ["member", "body"],
      erased: erasedWithRow("A rating is its member's, who may replace the text."),
    },
  },
  marketplace_reports: {
    keeps: evidence("Recalls rest on reports."),
    personal: {
      columns: ["detail", "reported_by"],
      erased: erasedWithRow("It names the member who reported the listing."),
    },
  },
});

export type ListingRow = StoredRow<"marketplace_listings", object>;
export type ReportRow = StoredRow<"marketplace_reports", object>;

export const storedListings = {
  table: owned.marketplace_listings,
  key: "id",
  isKey: (text: string) => isId(text, "lst"),
} as const;
export const listingRows = defineRows(storedListings);

export const reports = defineRows({ table: owned.marketplace_reports, key: "id" });
