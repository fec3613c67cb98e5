import { refuse } from "../../../../kernel/errors.ts";
import { openToAll } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { unauthenticated } from "../../../../kernel/problems.ts";
import { findPerson } from "../../members/store.ts";
import { useInvitation } from "../accounts-store.ts";
import { passkeyNotAccepted } from "../errors.ts";
import { exampleOptions, exampleResponse, exampleSession } from "../example.ts";
import { addPasskey, beginPasskey } from "../register.ts";
import { AcceptInvitationBody, OpenedInvitation, Opening, Session, TokenBody } from "../schemas.ts";
import { openSession } from "../view.ts";

const whose = exempt("whoever holds the invitation is its person: it was e-mailed to them and shown to nobody else");

/** What the page of an invitation shows, and what its browser needs to make a passkey. Uses nothing up: mail scanners follow links. */
export const openInvitation = defineOperation({
  id: "sessions.openInvitation",
  method: "POST",
  path: "/auth/invitation/options",
  summary: "Open an invitation",
  params: Opening,
  body: TokenBody,
  output: OpenedInvitation,
  example: {
    body: { token: exampleSession.csrf },
    output: {
      name: "Sample Approver",
      email: "approver@example.com",
      environment: "production",
      options: exampleOptions,
    },
  },
  permission: whose,
  load: exempt("names no object; the invitation says whom it is for"),
  narrowing: openToAll("tells of the invited person alone"),
  gate: exempt("makes no agent act"),
  decides: exempt("sessions carry no content"),
  compliance: exempt("tells invited people of themselves; taking the invitation up is what policies see"),
  audit: "invitations",
  async handle(ctx) {
    const { name = "", email = null } = (await findPerson(ctx, ctx.principal.id)) ?? {};
    return { name, email, environment: ctx.scope.environment, options: await beginPasskey(ctx) };
  },
});

export const acceptInvitation = defineOperation({
  id: "sessions.acceptInvitation",
  method: "POST",
  path: "/auth/invitation",
  summary: "Take an invitation up with a new passkey",
  params: Opening,
  body: AcceptInvitationBody,
  output: Session,
  example: {
    body: { token: exampleSession.csrf, name: "Laptop", response: exampleResponse },
    output: { ...exampleSession, method: "passkey" },
  },
  permission: whose,
  load: exempt("names no object; the invitation says whom it is for"),
  narrowing: openToAll("tells of the invited person alone"),
  gate: exempt("makes no agent act"),
  decides: exempt("sessions carry no content"),
  compliance: governs("session.open"),
  audit: ({ output }) => (output ? `session:${output.session_id}` : "sessions"),
  errors: [passkeyNotAccepted],
  async handle(ctx, { params, body }) {
    if (!(await useInvitation(ctx, body.token)))
      throw refuse(unauthenticated, "The invitation was used at this moment by somebody else.");
    return openSession(ctx, params, "passkey", await addPasskey(ctx, body));
  },
});
