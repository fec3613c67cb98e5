import { Type } from "typebox";
import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { byObject } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { notFound } from "../../../../kernel/problems.ts";
import { closed } from "../../../../kernel/schema-words.ts";
import { lastAdminKey, refuseLastKey, replacementNotPossible } from "../../errors.ts";
import { exampleKey } from "../../example.ts";
import { Key, KeyId } from "../../schemas.ts";
import { keyView } from "../../view.ts";
import { emitRevoked, keyRevoked } from "../events.ts";
import { keyFacts } from "../facts.ts";
import { endKey, findKey, type KeyRow, lockForRevocation } from "../store.ts";

const Overlap = Type.Integer({
  minimum: 0,
  maximum: 7 * 86_400,
  default: 0,
  description: "How long it still works, for the rotation to a new key; at most 7 days.",
});

const ReplacedBy = Type.String({
  description:
    "The key that takes its place, `key_…`: what acts later by the old key goes on by this one, within what both may do. It works, and acts for the same member. Left out: what acts by the old key stops.",
});

export const revokeKey = defineOperation({
  id: "admin.revokeKey",
  method: "DELETE",
  path: "/v1/admin/keys/{key}",
  listed: true,
  summary: "Revoke a key",
  description:
    "Revokes a key at once, everywhere within a second, or after an overlap in which the old and the new key both work. A revocation cannot be undone or postponed; revoking again changes nothing. " +
    "What acts later by the key, such as its schedules, triggers and waiting tasks, stops with it, unless `replaced_by` names the key that takes its place.",
  params: Type.Object({ key: KeyId }),
  query: Type.Object({ overlap_seconds: Type.Optional(Overlap), replaced_by: Type.Optional(ReplacedBy) }, closed),
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
  decides: exempt("keys carry no content"),
  compliance: governs("key.revoke"),
  audit: ({ params }) => `key:${params.key}`,
  emits: [keyRevoked],
  errors: [lastAdminKey, replacementNotPossible],
  async handle(ctx, { loaded, query }) {
    const locked = await lockForRevocation(ctx, loaded.id);
    const key = locked.find(({ id }) => id === loaded.id);
    if (!key) throw refuse(notFound, "The key is gone.");
    const at = new Date(ctx.now + (query.overlap_seconds ?? 0) * 1000);
    const replacement = query.replaced_by ?? null;
    if (replacement !== key.replaced_by && replacement !== null) await requireReplacement(ctx, key, replacement);
    if (key.dead_since !== null && key.dead_since.getTime() <= at.getTime()) return keyView(key, ctx.now);
    if (key.rules && !locked.some((other) => other.rules && other.id !== key.id))
      throw refuseLastKey("It is", ctx.scope.environment);
    await endKey(ctx, key.id, at, replacement);
    ctx.touch(keyFacts);
    emitRevoked(ctx, key.member_id, key, at.getTime());
    return keyView({ ...key, dead_since: at, replaced_by: replacement ?? key.replaced_by }, ctx.now);
  },
});

async function requireReplacement(ctx: WriteContext, key: KeyRow, id: string): Promise<void> {
  const no = (why: string): Error => refuse(replacementNotPossible, `${id} ${why}. Nothing was changed.`);
  if (key.dead_since !== null) throw no(`cannot take the place of ${key.id}, which was revoked before`);
  if (id === key.id) throw no("is the key that is revoked");
  const other = await findKey(ctx, id);
  if (!other) throw no(`is no key of ${ctx.scope.environment}`);
  if (other.member_id !== key.member_id)
    throw no(`acts for ${other.member_name}, and ${key.id} for ${key.member_name}; it has to act for the same member`);
  if (other.dead_since !== null) throw no("was revoked itself");
  if (other.expires_at !== null && other.expires_at.getTime() <= ctx.now) throw no("has expired");
}
