import { Type } from "typebox";
import { listPage, listQuery, pageSchema } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { exampleKey } from "../example.ts";
import { Key, KeyState, MemberId, RoleName } from "../schemas.ts";
import { listKeys as readPage } from "../store.ts";
import { keyView } from "../view.ts";

const Filters = {
  role: Type.Optional(Type.Array(RoleName, { description: "Roles, separated by commas." })),
  member: Type.Optional(MemberId),
  state: Type.Optional(Type.Array(KeyState, { description: "States, separated by commas." })),
};

export const listKeys = defineRead({
  id: "admin.listKeys",
  path: "/v1/admin/keys",
  listed: true,
  summary: "List keys",
  description:
    "The keys of this environment, newest first: role, narrowing, expiry, last use. Never the keys themselves.",
  query: listQuery(Filters),
  output: pageSchema(Key),
  example: { output: { data: [exampleKey], has_more: false, next_cursor: null } },
  permission: "admin:read",
  load: exempt("names no object; the list holds the keys of the environment"),
  narrowing: limitedTo("lists keys that are narrowed to the key's agents"),
  compliance: governs("key.read"),
  audit: "keys",
  handle(ctx, { query }) {
    const { limit: _limit, cursor: _cursor, ...filter } = query;
    return listPage(ctx, query, filter, {
      sort: "-created_at",
      read: (page) => readPage(ctx, filter, page),
      positionOf: (row) => ({ keys: [], id: row.id }),
      item: (row) => keyView(row, ctx.now),
    });
  },
});
