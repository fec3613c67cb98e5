import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { exampleMember } from "../../example.ts";
import { findPerson } from "../../members/store.ts";
import { signInPort } from "../../ports.ts";
import { Member } from "../../schemas.ts";
import { memberView } from "../../view.ts";
import { emailNotConfigured, notInvitable } from "../errors.ts";
import { invitationJob } from "./send-invitation.ts";

export const inviteMember = defineOperation({
  id: "admin.inviteMember",
  method: "POST",
  path: "/v1/admin/members/{member}/invitation",
  summary: "E-mail a person an invitation to sign in",
  description:
    "Sends a link to the person's own e-mail address and shows it to nobody else. It works once, within 24 hours, and lets them sign in and make a passkey; earlier ones of this environment end. The e-mail is sent a moment later: `invitation_sent_at` of the member says when.",
  params: Type.Object({ member: Type.String({ description: "`mbr_…`, or the e-mail address of a member." }) }),
  output: Member,
  example: { params: { member: exampleMember.member_id }, output: exampleMember },
  permission: "admin:write",
  load: (ctx, { member }) => findPerson(ctx, member),
  gate: exempt("makes no agent act"),
  decides: exempt("says who signs in; no agent reads it"),
  compliance: governs("member.invite"),
  audit: ({ loaded }) => (loaded ? { object: `member:${loaded.id}`, subject: loaded.id } : { object: "members" }),
  errors: [emailNotConfigured, notInvitable],
  async handle(ctx, { loaded }) {
    if (ctx.port(signInPort).sendMail === null)
      throw refuse(emailNotConfigured, "Set AOS_SMTP_URL and AOS_MAIL_FROM to send invitations.");
    if (loaded.kind !== "person") throw refuse(notInvitable, "A service account does not sign in: issue a key for it.");
    if (loaded.email === null) throw refuse(notInvitable, "The person has no e-mail address: set one first.");
    if (loaded.role === null)
      throw refuse(notInvitable, `The person has no role in ${ctx.scope.environment}: give one first.`);
    ctx.enqueue(invitationJob(ctx.scope, loaded.id));
    return memberView(loaded);
  },
});
