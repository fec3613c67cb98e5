import { timestamp } from "../../../kernel/clock.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { keyExpiring } from "../events.ts";
import { noteExpiry } from "../expiry-store.ts";
import { findKey, type KeyRow } from "../store.ts";

export interface TellOfExpiry {
  readonly key: string;
}

/** Tells once that a key ends soon. */
export const tellOfExpiry: InsideOperation<TellOfExpiry, { readonly told: true }> = defineInside({
  id: "admin.tellOfExpiry",
  summary: "Tell that a key ends soon",
  permission: exempt("a machine of the service itself"),
  load: (ctx: ReadContext, { key }: TellOfExpiry) => findKey(ctx, key),
  gate: exempt("starts no work"),
  compliance: exempt("tells of what was said when the key was issued"),
  audit: ({ params }: { params: TellOfExpiry; loaded: KeyRow | undefined }) => `key:${params.key}`,
  emits: [keyExpiring],
  errors: [conflict],
  async handle(ctx, { loaded: key }) {
    if (!(await noteExpiry(ctx, key.id)))
      throw refuse(conflict, "The key does not end soon, or people were told of it before.");
    ctx.emit(keyExpiring, {
      key_id: key.id,
      name: key.name,
      role: key.role,
      member_id: key.member_id,
      expires_at: timestamp((key.expires_at as Date).getTime()),
    });
    return { told: true as const };
  },
});
