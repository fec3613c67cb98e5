import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { byObject } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { notFound } from "../../../kernel/problems.ts";
import { closed } from "../../../kernel/schema-words.ts";
import { lastAdminKey, refuseLastKey } from "../errors.ts";
import { emitRevoked, keyRevoked } from "../events.ts";
import { exampleKey } from "../example.ts";
import { keyFacts } from "../facts.ts";
import { endKey, findKey, type KeyRow, lockForRevocation } from "../key-store.ts";
import { Key, KeyId } from "../schemas.ts";
import { keyView } from "../view.ts";

const Overlap = Type.Integer({
  minimum: 0,
  maximum: 7 * 86_400,
  default: 0,
  description: "How long it still works, for the rotation to a new key; at most 7 days.",
});

export const revokeKey = defineOperation({
  id: "admin.revokeKey",
  method: "DELETE",
  path: "/v1/admin/keys/{key}",
  listed: true,
  summary: "Revoke a key",
  description:
    "Revokes a key at once, everywhere within a second, or after an overlap in which the old and the new key both work. A revocation cannot be undone or postponed; revoking again changes nothing.",
  params: Type.Object({ key: KeyId }),
  query: Type.Object({ overlap_seconds: Type.Optional(Overlap) }, closed),
  output: Key,
  example: {
    params: { key: exampleKey.key_id },
    output: { ...exampleKey, state: "revoked", revoked_at: "2026-11-21T10:00:00.000Z" },
  },
  permission: "admin:write",
  load: (ctx, { key }) => findKey(ctx, key),
  narrowing: byObject(
    "the agents to which the key is narrowed",
    (_ctx, { loaded }: { loaded: KeyRow }) => loaded.agents,
  ),
  gate: exempt("makes no agent act"),
  compliance: governs("key.revoke"),
  audit: ({ params }) => `key:${params.key}`,
  emits: [keyRevoked],
  errors: [lastAdminKey],
  async handle(ctx, { loaded, query }) {
    const locked = await lockForRevocation(ctx, loaded.id);
    const key = locked.find(({ id }) => id === loaded.id);
    if (!key) throw refuse(notFound, "The key is gone.");
    const at = new Date(ctx.now + (query.overlap_seconds ?? 0) * 1000);
    if (key.dead_since !== null && key.dead_since.getTime() <= at.getTime()) return keyView(key, ctx.now);
    if (key.rules && !locked.some((other) => other.rules && other.id !== key.id))
      throw refuseLastKey("It is", ctx.scope.environment);
    await endKey(ctx, key.id, at);
    ctx.touch(keyFacts);
    emitRevoked(ctx, key.member_id, key, at.getTime());
    return keyView({ ...key, dead_since: at }, ctx.now);
  },
});
