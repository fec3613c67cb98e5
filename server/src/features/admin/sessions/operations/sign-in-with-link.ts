import { refuse } from "../../../../kernel/errors.ts";
import { openToAll } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { unauthenticated } from "../../../../kernel/problems.ts";
import { hashOfSecret } from "../../../../kernel/sessions.ts";
import { exampleSession } from "../example.ts";
import { openSession } from "../open.ts";
import { Opening, Session, TokenBody } from "../schemas.ts";
import { useLink } from "../store.ts";

export const signInWithLink = defineOperation({
  id: "sessions.signInWithLink",
  method: "POST",
  path: "/auth/link",
  summary: "Sign in to the portal with a one-time link",
  description:
    "The session has the role of the link's person in its environment, whatever that is at the time of a call.",
  params: Opening,
  body: TokenBody,
  output: Session,
  example: { body: { token: exampleSession.csrf }, output: exampleSession },
  permission: exempt("whoever holds the link is its person, who may do what their role allows"),
  load: exempt("names no object; the link says who signs in"),
  narrowing: openToAll("opens a session that may do what its person may"),
  gate: exempt("makes no agent act"),
  decides: exempt("sessions carry no content"),
  compliance: governs("session.open"),
  audit: ({ output }) => (output ? `session:${output.session_id}` : "sessions"),
  async handle(ctx, { params, body }) {
    if (!(await useLink(ctx, hashOfSecret(body.token))))
      throw refuse(unauthenticated, "The link was used at this moment by somebody else.");
    return openSession(ctx, params, "link");
  },
});
