import { defineList } from "../../../kernel/listing.ts";
import { governs } from "../../../kernel/operation.ts";
import { commaList } from "../../../kernel/schema-words.ts";
import { type Decided, listDecided } from "../confirmations.ts";
import { connectionContent } from "../connection-content.ts";
import { Connection, ConnectionKindName } from "../connections-schemas.ts";
import { findUses, listConnectionRows } from "../connections-store.ts";
import { exampleConnection } from "../example.ts";
import { connectionView } from "../view.ts";

export const listConnections = defineList({
  id: "admin.listConnections",
  path: "/v1/admin/connections",
  summary: "List connections",
  description:
    "The accounts at model providers and at services that tools call in this environment, newest first, with what uses them and their last test. Secrets are never shown.",
  filters: { kind: commaList(ConnectionKindName, "Kinds") },
  item: Connection,
  example: { item: exampleConnection },
  permission: "admin:read",
  compliance: governs("connection.read"),
  audit: "connections",
  async read(ctx, { kind }, page) {
    const rows = await listConnectionRows(ctx, kind, page);
    const uses = await findUses(
      ctx,
      rows.map(({ name }) => name),
    );
    const decided = await listDecided(ctx, rows.map(connectionContent));
    return rows.map((row, at) => ({ ...row, uses: uses.get(row.name), decided: decided[at] as Decided }));
  },
  position: (row) => ({ keys: [row.created_at.getTime()], id: row.name }),
  view: ({ uses, decided, ...row }) => connectionView(row, decided, uses),
});
