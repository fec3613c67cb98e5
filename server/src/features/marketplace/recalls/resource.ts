import { isId } from "../../../kernel/ids.ts";
import { exempt } from "../../../kernel/operation.ts";
import { defineRows, type StoredRow } from "../../../resources/rows.ts";
import { erasedWithRow, evidence, ownTables } from "../../../resources/tables.ts";

export const owned = ownTables({
  marketplace_recalls: {
    keeps: evidence("Why versions were stopped, by whom and since when."),
    personal: { columns: ["reason", "by"], erased: erasedWithRow("It names the member who recalled the versions.") },
  },
  marketplace_stops: {
    keeps: evidence("Which kill switches a recall set, for whoever lifts them."),
    personal: exempt("names installs and kill switches"),
  },
});

export type RecallRow = StoredRow<"marketplace_recalls", object>;

export const recalls = defineRows({
  table: owned.marketplace_recalls,
  key: "id",
  isKey: (text) => isId(text, "rcl"),
});
