import { openToAll } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt } from "../../../../kernel/operation.ts";
import { exampleSession } from "../example.ts";
import { ownSession, sessionView } from "../open.ts";
import { Session } from "../schemas.ts";

export const readSession = defineRead({
  id: "sessions.readSession",
  path: "/auth/session",
  summary: "Read the portal's own session",
  description: "Who is signed in, with what rights, and the token that changes carry.",
  output: Session,
  example: { output: exampleSession },
  permission: exempt("every session may read itself"),
  load: exempt("names no object; tells of the caller"),
  narrowing: openToAll("tells of the caller alone"),
  compliance: exempt("tells the caller of itself"),
  audit: ({ output }) => (output ? `session:${output.session_id}` : "sessions"),
  handle: async (ctx) => sessionView(ctx, await ownSession(ctx)),
});
