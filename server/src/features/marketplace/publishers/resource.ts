import type { Publisher } from "@aos/bundle";
import { defineRows, json, type StoredRow } from "../../../resources/rows.ts";
import { erasedWithRow, evidence, ownTables } from "../../../resources/tables.ts";

export const owned = ownTables({
  marketplace_publishers: {
    keeps: evidence("Signatures of installed bundles are checked by the keys of their publisher."),
    personal: {
      columns: ["name", "publisher", "pinned_by"],
      erased: erasedWithRow("It names the publisher and the member who trusted the key."),
    },
  },
});

/** Identity, keys and rotations, as in a bundle. */
type PublisherJson = { readonly publisher: Publisher };
export type PublisherRow = StoredRow<"marketplace_publishers", PublisherJson>;

export const publishers = defineRows({
  table: owned.marketplace_publishers,
  key: "id",
  json: json<PublisherJson>()("publisher"),
});
