import { isoTime } from "../../../kernel/clock.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { unauthenticated } from "../../../kernel/problems.ts";
import { drawSecret, sessionEnd } from "../../../kernel/sessions.ts";
import { sessionFacts } from "./facts.ts";
import type { Opening, Session } from "./schemas.ts";
import { endReplaced, findSession, insertSession, type SessionRow } from "./store.ts";

/** Opens a session for the caller, whatever way it proved who it is. The one that the browser had until now ends. */
export async function openSession(
  ctx: WriteContext,
  { secret_hash: hash, replaces, user_agent: userAgent }: Opening,
  method: SessionRow["method"],
  passkeyId: string | null = null,
): Promise<Session> {
  const id = ctx.newId("ses");
  const expiresAt = new Date(sessionEnd(ctx.now, ctx.now));
  if (replaces !== undefined) await endReplaced(ctx, replaces);
  const row = await insertSession(ctx, {
    id,
    hash,
    csrf: drawSecret(),
    keyId: ctx.principal.keyId,
    method,
    passkeyId,
    userAgent: userAgent ?? null,
    expiresAt,
  });
  ctx.touch(sessionFacts);
  return sessionView(ctx, present(row));
}

export async function ownSession(ctx: ReadContext | WriteContext): Promise<SessionRow> {
  const { sessionId } = ctx.principal;
  if (sessionId === undefined)
    throw refuse(unauthenticated, "This call carries a key and no session: sign in to the portal.");
  return present(await findSession(ctx, sessionId));
}

function present(row: SessionRow | undefined): SessionRow {
  if (!row) throw refuse(unauthenticated, "The session has ended: sign in again.");
  return row;
}

export function sessionView({ scope, principal }: ReadContext | WriteContext, row: SessionRow): Session {
  return {
    session_id: row.id,
    member: row.member_id,
    member_kind: principal.kind as "member" | "service_account",
    name: row.member_name,
    role: principal.role as NonNullable<Principal["role"]>,
    environment: scope.environment,
    scopes: principal.scopes && [...principal.scopes],
    agents: principal.agents && [...principal.agents],
    method: row.method,
    csrf: row.csrf,
    expires_at: isoTime(row.expires_at),
  };
}
