import { Type } from "typebox";
import { timestamp } from "../../../kernel/clock.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { defineEvent, whoHolds } from "../../../kernel/events.ts";
import type { Role } from "../../../kernel/principal.ts";
import { Time } from "../../../kernel/schema-words.ts";
import { KeyId, MemberId, RoleName } from "../schemas.ts";

export const keyRevoked = defineEvent({
  type: "key.revoked",
  summary: "A key was revoked; it stops working at `revoked_at`.",
  readers: whoHolds("admin:read"),
  schema: Type.Object({
    event: Type.Literal("key.revoked"),
    key_id: KeyId,
    name: Type.String(),
    role: RoleName,
    member_id: MemberId,
    revoked_at: Type.String({
      format: "date-time",
      description: "Now, or at the end of the requested overlap.",
    }),
    revoked_by: Type.String({ description: "Who revoked it." }),
  }),
});

/** `at`: milliseconds since the epoch. */
export function emitRevoked(ctx: WriteContext, member_id: string, key: Revoked, at: number = ctx.now): void {
  const { id: key_id, name, role } = key;
  const { id: revoked_by } = ctx.principal;
  ctx.emit(keyRevoked, { key_id, name, role, member_id, revoked_at: timestamp(at), revoked_by });
}
interface Revoked {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

export const keyExpiring = defineEvent({
  type: "key.expiring",
  summary:
    "A key expires soon. Sent once per key, a week before it expires or, for short-lived keys, when a tenth of its lifetime is left.",
  readers: whoHolds("admin:read"),
  schema: Type.Object({
    event: Type.Literal("key.expiring"),
    key_id: KeyId,
    name: Type.String(),
    role: RoleName,
    member_id: MemberId,
    expires_at: Time,
  }),
});
