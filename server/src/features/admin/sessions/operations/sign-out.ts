import { timestamp } from "../../../../kernel/clock.ts";
import { openToAll } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { exampleSession } from "../example.ts";
import { sessionFacts } from "../facts.ts";
import { ownSession } from "../open.ts";
import { SignedOut } from "../schemas.ts";
import { endSession } from "../store.ts";

export const signOut = defineOperation({
  id: "sessions.signOut",
  method: "DELETE",
  path: "/auth/session",
  summary: "Sign out of the portal",
  description: "Ends the session in every process within a second. The key that opened it goes on.",
  output: SignedOut,
  example: { output: { session_id: exampleSession.session_id, ended_at: "2026-11-20T12:00:00.000Z" } },
  permission: exempt("every session may end itself"),
  load: exempt("names no object; ends the caller's own session"),
  narrowing: openToAll("ends the caller's own session"),
  gate: exempt("makes no agent act"),
  decides: exempt("sessions carry no content"),
  compliance: exempt("nobody is kept from giving up rights"),
  audit: ({ output }) => (output ? `session:${output.session_id}` : "sessions"),
  async handle(ctx) {
    const { id } = await ownSession(ctx);
    await endSession(ctx, id);
    ctx.touch(sessionFacts);
    return { session_id: id, ended_at: timestamp(ctx.now) };
  },
});
