import { Type } from "typebox";
import { isoTime } from "../../../kernel/clock.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { byObject } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { notFound } from "../../../kernel/problems.ts";
import { closed } from "../../../kernel/schema-words.ts";
import { lastAdminKey } from "../errors.ts";
import { keyRevoked } from "../events.ts";
import { exampleKey } from "../example.ts";
import { keyFacts } from "../facts.ts";
import { Key, KeyId } from "../schemas.ts";
import { endKey, findKey, type KeyRow, lockForRevocation } from "../store.ts";
import { keyView } from "../view.ts";

const LONGEST_OVERLAP = 7 * 86_400;

export const revokeKey = defineOperation({
  id: "admin.revokeKey",
  method: "DELETE",
  path: "/v1/admin/keys/{key}",
  listed: true,
  summary: "Revoke a key",
  description:
    "Ends a key at once, everywhere within a second, or after an overlap in which old and new key both work. A revocation is never undone or put off; of one that is revoked already nothing changes.",
  params: Type.Object({ key: KeyId }),
  query: Type.Object(
    {
      overlap_seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: LONGEST_OVERLAP,
          default: 0,
          description: "How long it still works, for the rotation to a new key; at most 7 days.",
        }),
      ),
    },
    closed,
  ),
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
    if (key.rules && !locked.some((other) => other.rules && other.id !== key.id)) throw lastOne(ctx);
    await endKey(ctx, key.id, at);
    ctx.touch(keyFacts);
    ctx.emit(keyRevoked, {
      key_id: key.id,
      name: key.name,
      role: key.role,
      member_id: key.member_id,
      revoked_at: isoTime(at),
      revoked_by: ctx.principal.id,
    });
    return keyView({ ...key, dead_since: at }, ctx.now);
  },
});

function lastOne(ctx: WriteContext): Error {
  const { environment } = ctx.scope;
  return refuse(
    lastAdminKey,
    `It is the last admin key in ${environment} that is not limited to scopes or agents: issue another one first, or run \`aos keys create --environment ${environment} --role admin\` on the host.`,
  );
}
