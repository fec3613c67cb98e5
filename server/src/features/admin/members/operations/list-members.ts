import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { exampleMember } from "../../example.ts";
import { Member, RoleName } from "../../schemas.ts";
import { memberView } from "../../view.ts";
import { listPeople } from "../store.ts";

const filters = {
  kind: Type.Optional(
    Type.Enum(["person", "service_account"] as const, { description: "People, or service accounts." }),
  ),
  role: commaList(RoleName, "Roles in this environment"),
};

export const listMembers = defineList({
  id: "admin.listMembers",
  path: "/v1/admin/members",
  listed: true,
  summary: "List members",
  description:
    "The people and service accounts of the organization, newest first, with their role in this environment. Those who have none here are listed too.",
  filters,
  item: Member,
  example: { item: exampleMember },
  permission: "admin:read",
  compliance: governs("member.read"),
  audit: "members",
  read: listPeople,
  position: ({ id }) => id,
  view: memberView,
});
