import { Type } from "typebox";
import { timestamp } from "../../../../kernel/clock.ts";
import { whole } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { exampleSession } from "../example.ts";
import { sessionFacts } from "../facts.ts";
import { findEndable } from "../list-store.ts";
import { SignedOut } from "../schemas.ts";
import { endSession } from "../store.ts";

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
