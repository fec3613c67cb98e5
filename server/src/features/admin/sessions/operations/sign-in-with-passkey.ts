import { refuse } from "../../../../kernel/errors.ts";
import { openToAll } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { unauthenticated } from "../../../../kernel/problems.ts";
import { exampleResponse, exampleSession } from "../example.ts";
import { openSession } from "../open.ts";
import { useChallenge, usePasskey } from "../passkey-store.ts";
import { Opening, PasskeySignInBody, Session } from "../schemas.ts";
import { readResponse } from "../webauthn.ts";

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
