import { openToAll } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { exampleIssued } from "../../example.ts";
import { exampleSession } from "../example.ts";
import { openSession } from "../open.ts";
import { KeyBody, Opening, Session } from "../schemas.ts";

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
  permission: exempt("every key may open a session, which may do no more"),
  load: exempt("names no object; the key says who signs in"),
  narrowing: openToAll("opens a session that is narrowed as the key is"),
  gate: exempt("makes no agent act"),
  decides: exempt("sessions carry no content"),
  compliance: governs("session.open"),
  audit: ({ output }) => (output ? `session:${output.session_id}` : "sessions"),
  handle: (ctx, { params }) => openSession(ctx, params, "key"),
});
