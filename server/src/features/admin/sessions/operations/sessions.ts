import { Type } from "typebox";
import { isoTime, timestamp } from "../../../../kernel/clock.ts";
import type { CallContext } from "../../../../kernel/context.ts";
import { defineList } from "../../../../kernel/listing.ts";
import { openToAll, whole } from "../../../../kernel/narrowing.ts";
import { defineOperation, defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { insufficientScope } from "../../../../kernel/problems.ts";
import { MemberId } from "../../schemas.ts";
import { exampleListed, exampleSession } from "../example.ts";
import { sessionFacts } from "../facts.ts";
import { ListedSession, Session, SignedOut } from "../schemas.ts";
import { endSession, findEndable, type ListedRow, listSessions as readPage } from "../store.ts";
import { ownSession, sessionView } from "../view.ts";

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

export const listSessions = defineList({
  id: "admin.listSessions",
  path: "/v1/admin/sessions",
  summary: "List sessions of the portal",
  description: "Your own sessions in this environment that still work, newest first; for admins those of everybody.",
  filters: { member: Type.Optional(MemberId) },
  item: ListedSession,
  example: { item: exampleListed },
  permission: exempt("everybody sees their own sessions; those of others need admin:read"),
  narrowing: whole("lists sessions, which serve all agents"),
  compliance: governs("session.read"),
  audit: "sessions",
  errors: [insufficientScope],
  read: (ctx, { member }, page) => readPage(ctx, member, page),
  position: ({ id }) => id,
  view: listedView,
});

function listedView(row: ListedRow, { principal }: CallContext): ListedSession {
  return {
    session_id: row.id,
    member_id: row.member_id,
    member_name: row.member_name,
    method: row.method,
    current: row.id === principal.sessionId,
    address: row.address,
    browser: row.user_agent,
    created_at: isoTime(row.created_at),
    last_used_at: timestamp((row.last_used_at ?? row.created_at).getTime()),
    expires_at: isoTime(row.expires_at),
  };
}

export const revokeSession = defineOperation({
  id: "admin.revokeSession",
  method: "DELETE",
  path: "/v1/admin/sessions/{session}",
  summary: "End a session of the portal",
  description:
    "Ends one of your own sessions, or as an admin anybody's, in every process within a second. Whoever had it has to sign in again.",
  params: Type.Object({ session: Type.String({ description: "`ses_…`" }) }),
  output: SignedOut,
  example: {
    params: { session: exampleSession.session_id },
    output: { session_id: exampleSession.session_id, ended_at: "2026-11-20T12:00:00.000Z" },
  },
  permission: exempt("everybody ends their own sessions; those of others need admin:write"),
  load: (ctx, { session }) => findEndable(ctx, session),
  narrowing: whole("ends a session, which serves all agents"),
  gate: exempt("makes no agent act"),
  decides: exempt("sessions carry no content"),
  compliance: governs("session.revoke"),
  audit: ({ params }) => `session:${params.session}`,
  async handle(ctx, { loaded }) {
    await endSession(ctx, loaded.id);
    ctx.touch(sessionFacts);
    return { session_id: loaded.id, ended_at: timestamp(ctx.now) };
  },
});
