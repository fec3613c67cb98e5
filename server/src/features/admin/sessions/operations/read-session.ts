import { Type } from "typebox";
import { openToAll } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt } from "../../../../kernel/operation.ts";
import { exampleSession } from "../example.ts";
import { ownSession, sessionView } from "../open.ts";
import { Session } from "../schemas.ts";

export const readSession = defineRead({
  id: "sessions.readSession",
  method: "GET",
  path: "/auth/session",
  status: 200,
  listed: false,
  summary: "Read the portal's own session",
  description: "Who is signed in, with what rights, and the token that changes carry.",
  params: Type.Object({}),
  query: Type.Object({}, { additionalProperties: false }),
  output: Session,
  example: { output: exampleSession },
  permission: exempt("every session may read itself"),
  load: exempt("names no object; tells of the caller"),
  narrowing: openToAll("tells of the caller alone"),
  gate: exempt("reads, makes no agent act"),
  compliance: exempt("tells the caller of itself"),
  audit: ({ output }) => ({ object: output ? `session:${output.session_id}` : "sessions" }),
  emits: [],
  errors: [],
  handle: async (ctx) => sessionView(ctx, await ownSession(ctx)),
});
