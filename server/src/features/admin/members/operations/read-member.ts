import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleMember } from "../../example.ts";
import { Member } from "../../schemas.ts";
import { memberRevision, memberView } from "../../view.ts";
import { findPerson, type PersonRow } from "../store.ts";

export const readMember = defineRead({
  id: "admin.readMember",
  path: "/v1/admin/members/{member}",
  summary: "Read a member",
  description:
    "A person or a service account as the environment of the call sees them. Its ETag is that of name, address and role.",
  params: Type.Object({ member: Type.String({ description: "`mbr_…`, or the e-mail address of a person." }) }),
  output: Member,
  example: { params: { member: exampleMember.member_id }, output: exampleMember },
  revision: memberRevision,
  revisionOfPart: true,
  permission: "admin:read",
  load: (ctx, { member }) => findPerson(ctx, member),
  compliance: governs("member.read"),
  audit: ({ loaded }: { loaded: PersonRow | undefined }) =>
    loaded ? { object: `member:${loaded.id}`, subject: loaded.id } : { object: "members" },
  handle: (_ctx, { loaded }) => memberView(loaded),
});
