import { Type } from "typebox";
import { isoTime, timestamp } from "../../../../kernel/clock.ts";
import type { CallContext } from "../../../../kernel/context.ts";
import { defineList } from "../../../../kernel/listing.ts";
import { whole } from "../../../../kernel/narrowing.ts";
import { exempt, governs } from "../../../../kernel/operation.ts";
import { insufficientScope } from "../../../../kernel/problems.ts";
import { MemberId } from "../../schemas.ts";
import { exampleListed } from "../example.ts";
import { type ListedRow, listSessions as readPage } from "../list-store.ts";
import { ListedSession } from "../schemas.ts";

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
