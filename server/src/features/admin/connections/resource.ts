import { defineRows, json, type StoredRow } from "../../../resources/rows.ts";
import { erasedBy, ownTables, untilRemoved } from "../../../resources/tables.ts";
import { type ConnectionTest, connectionNamePattern } from "./schemas.ts";

export const owned = ownTables({
  connections: {
    keeps: untilRemoved("A connection is deleted by people, with its sealed secret."),
    personal: {
      columns: ["base_url", "created_by", "deciders", "test"],
      erased: erasedBy("admin.removeConnection"),
    },
  },
});

type ConnectionJson = { readonly test: ConnectionTest | null };
/** A connection, its secret sealed. */
export type ConnectionRow = StoredRow<"connections", ConnectionJson>;

const possibleName = new RegExp(connectionNamePattern);

export const storedConnections = {
  table: owned.connections,
  key: "name",
  isKey: (text: string) => possibleName.test(text),
  json: json<ConnectionJson>()("test"),
} as const;
export const connectionRows = defineRows(storedConnections);
