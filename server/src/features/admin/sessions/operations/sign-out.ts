import { Type } from "typebox";
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
  status: 200,
  listed: false,
  commit: "own",
  summary: "Sign out of the portal",
  description: "Ends the session in every process within a second. The key that opened it goes on.",
  params: Type.Object({}),
  query: Type.Object({}, { additionalProperties: false }),
  body: Type.Object({}, { additionalProperties: false }),
  output: SignedOut,
  example: { body: {}, output: { session_id: exampleSession.session_id, ended_at: "2026-11-20T12:00:00.000Z" } },
  permission: exempt("every session may end itself"),
  load: exempt("names no object; ends the caller's own session"),
  narrowing: openToAll("ends the caller's own session"),
  gate: exempt("makes no agent act"),
  compliance: exempt("nobody is kept from giving up rights"),
  audit: ({ output }) => ({ object: output ? `session:${output.session_id}` : "sessions" }),
  emits: [],
  errors: [],
  async handle(ctx) {
    const { id } = await ownSession(ctx);
    await endSession(ctx, id);
    ctx.touch(sessionFacts);
    return { session_id: id, ended_at: timestamp(ctx.now) };
  },
});
