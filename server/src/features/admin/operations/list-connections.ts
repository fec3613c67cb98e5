import { defineList } from "../../../kernel/listing.ts";
import { governs } from "../../../kernel/operation.ts";
import { commaList } from "../../../kernel/schema-words.ts";
import { exampleConnection } from "../connections-example.ts";
import { Connection, ConnectionKindName } from "../connections-schemas.ts";
import { findUses, listConnectionRows } from "../connections-store.ts";
import { connectionView } from "../connections-view.ts";

const filters = {
  kind: commaList(ConnectionKindName, "Kinds"),
};

export const listConnections = defineList({
  id: "admin.listConnections",
  path: "/v1/admin/connections",
  summary: "List connections",
  description:
    "The accounts at providers of models and at services that tools call, of this environment, newest first, with what uses them and what their last test came to. No secret is ever shown.",
  filters,
  item: Connection,
  example: { item: exampleConnection },
  permission: "admin:read",
  compliance: governs("connection.read"),
  audit: "connections",
  async read(ctx, { kind = null }, page) {
    const rows = await listConnectionRows(ctx, kind, page);
    const names = rows.map(({ name }) => name);
    const uses = names.length > 0 ? await findUses(ctx, names) : new Map();
    return rows.map((row) => ({ ...row, uses: uses.get(row.name) ?? [] }));
  },
  position: (row) => ({ keys: [row.created_at.getTime()], id: row.name }),
  view: ({ uses, ...row }) => connectionView(row, uses),
});
