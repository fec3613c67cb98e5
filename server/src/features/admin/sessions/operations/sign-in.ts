import { refuse } from "../../../../kernel/errors.ts";
import { openToAll } from "../../../../kernel/narrowing.ts";
import { defineInside, defineOperation, exempt, governs, type InsideOperation } from "../../../../kernel/operation.ts";
import { unauthenticated } from "../../../../kernel/problems.ts";
import { hashOfSecret } from "../../../../kernel/sessions.ts";
import { exampleIssued } from "../../example.ts";
import { exampleResponse, exampleSession } from "../example.ts";
import { useChallenge, usePasskey } from "../passkeys-store.ts";
import { KeyBody, Opening, PasskeySignInBody, Session, TokenBody } from "../schemas.ts";
import { useLink } from "../store.ts";
import { openSession } from "../view.ts";
import { readResponse } from "../webauthn.ts";

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

export const signInWithKey = defineOperation({
  id: "sessions.signInWithKey",
  method: "POST",
  path: "/auth/session",
  summary: "Sign in to the portal with a key",
  description: "The session may do what the key may do, and ends with it.",
  params: Opening,
  body: KeyBody,
  output: Session,
  example: { body: { key: exampleIssued.key }, output: exampleSession },
  permission: exempt("every key may open a session, which may do nothing else"),
  load: exempt("names no object; the key says who signs in"),
  narrowing: openToAll("opens a session that is narrowed as the key is"),
  gate: exempt("makes no agent act"),
  decides: exempt("sessions carry no content"),
  compliance: governs("session.open"),
  audit: ({ output }) => (output ? `session:${output.session_id}` : "sessions"),
  handle: (ctx, { params }) => openSession(ctx, params, "key"),
});

/** The response was verified when the call was authenticated; here its challenge and its counter are used up. */
export const signInWithPasskey = defineOperation({
  id: "sessions.signInWithPasskey",
  method: "POST",
  path: "/auth/passkey",
  summary: "Sign in to the portal with a passkey",
  description:
    "The session has the person's role in the environment that they chose, whatever that is at the time of a call.",
  params: Opening,
  body: PasskeySignInBody,
  output: Session,
  example: {
    body: { environment: exampleSession.environment, response: exampleResponse },
    output: { ...exampleSession, method: "passkey" },
  },
  permission: exempt("whoever has the passkey is its person, who may do what their role allows"),
  load: exempt("names no object; the passkey says who signs in"),
  narrowing: openToAll("opens a session that may do what its person may"),
  gate: exempt("makes no agent act"),
  decides: exempt("sessions carry no content"),
  compliance: governs("session.open"),
  audit: ({ output }) => (output ? `session:${output.session_id}` : "sessions"),
  async handle(ctx, { params, body }) {
    const { challenge, counter } = readResponse(body.response);
    if (!(await useChallenge(ctx, challenge)))
      throw refuse(unauthenticated, "This answer of a passkey was used before: begin again.");
    const passkeyId = await usePasskey(ctx, body.response.id, counter);
    if (passkeyId === undefined)
      throw refuse(unauthenticated, "The passkey was removed, or its counter has gone back: it may have been copied.");
    return openSession(ctx, params, "passkey", passkeyId);
  },
});

/** The end of a sign-in by OpenID Connect. It has no address: what the browser comes back to is a redirect, which HTTP turns into this call. */
export const signInWithProvider: InsideOperation<Opening, Session> = defineInside({
  id: "sessions.signInWithProvider",
  summary: "Sign in to the portal by OpenID Connect",
  permission: exempt("whoever the provider vouches for may do what their role allows"),
  load: exempt("names no object; the provider says who signs in"),
  gate: exempt("makes no agent act"),
  compliance: governs("session.open"),
  audit: ({ output }: { output: Session | undefined }) => (output ? `session:${output.session_id}` : "sessions"),
  handle: (ctx, { params }: { params: Opening }) => openSession(ctx, params, "oidc"),
});
