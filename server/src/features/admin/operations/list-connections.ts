import { Type } from "typebox";
import { listPage, listQuery, pageSchema } from "../../../kernel/listing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { exampleConnection } from "../connections-example.ts";
import { Connection, ConnectionKindName } from "../connections-schemas.ts";
import { findUses, listConnectionRows } from "../connections-store.ts";
import { connectionView } from "../connections-view.ts";

const Filters = {
  kind: Type.Optional(Type.Array(ConnectionKindName, { description: "Kinds, separated by commas." })),
};

export const listConnections = defineRead({
  id: "admin.listConnections",
  path: "/v1/admin/connections",
  summary: "List connections",
  description:
    "The accounts at providers of models and at services that tools call, of this environment, newest first, with what uses them and what their last test came to. No secret is ever shown.",
  query: listQuery(Filters),
  output: pageSchema(Connection),
  example: { output: { data: [exampleConnection], has_more: false, next_cursor: null } },
  permission: "admin:read",
  load: exempt("names no object; the list holds the connections of the environment"),
  compliance: governs("connection.read"),
  audit: "connections",
  async handle(ctx, { query }) {
    const { limit: _limit, cursor: _cursor, ...filter } = query;
    const page = await listPage(ctx, query, filter, {
      sort: "-created_at",
      read: (request) => listConnectionRows(ctx, filter.kind ?? null, request),
      positionOf: (row) => ({ keys: [row.created_at.getTime()], id: row.name }),
      item: (row) => row,
    });
    const uses =
      page.data.length === 0
        ? new Map()
        : await findUses(
            ctx,
            page.data.map(({ name }) => name),
          );
    return { ...page, data: page.data.map((row) => connectionView(row, uses.get(row.name) ?? [])) };
  },
});
