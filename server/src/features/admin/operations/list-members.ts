import { Type } from "typebox";
import { listPage, listQuery, pageSchema } from "../../../kernel/listing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { exampleMember } from "../people-example.ts";
import { listPeople } from "../people-store.ts";
import { memberView } from "../people-view.ts";
import { Member, RoleName } from "../schemas.ts";

const Filters = {
  kind: Type.Optional(
    Type.Enum(["person", "service_account"] as const, { description: "People, or service accounts." }),
  ),
  role: Type.Optional(Type.Array(RoleName, { description: "Roles in this environment, separated by commas." })),
};

export const listMembers = defineRead({
  id: "admin.listMembers",
  path: "/v1/admin/members",
  listed: true,
  summary: "List members",
  description:
    "The people and service accounts of the organization, newest first, with their role in this environment. Those who have none here are listed too.",
  query: listQuery(Filters),
  output: pageSchema(Member),
  example: { output: { data: [exampleMember], has_more: false, next_cursor: null } },
  permission: "admin:read",
  load: exempt("names no object; the list holds the members of the organization"),
  compliance: governs("member.read"),
  audit: "members",
  handle(ctx, { query }) {
    const { limit: _limit, cursor: _cursor, ...filter } = query;
    return listPage(ctx, query, filter, {
      sort: "-created_at",
      read: (page) => listPeople(ctx, filter, page),
      positionOf: (row) => ({ keys: [], id: row.id }),
      item: memberView,
    });
  },
});
