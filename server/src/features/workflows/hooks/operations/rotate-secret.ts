import { decidersOf } from "../../../../kernel/actor.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { conflict, notFound } from "../../../../kernel/problems.ts";
import { mostEarlier, replaceSecret } from "../../../../resources/secrets.ts";
import { connectionPort } from "../../../admin/public.ts";
import { exampleCreatedHook } from "../../triggers/example.ts";
import { CreatedHook, RotateHookSecretBody } from "../../triggers/schemas.ts";
import { sealedAs } from "../facts.ts";
import { hooks } from "../resource.ts";

export const rotateSecret = defineOperation({
  ...hooks.changeOfOne(),
  id: "workflows.rotateSecret",
  method: "POST",
  path: "/v1/hooks/{hook}/rotate-secret",
  secret: "secret",
  summary: "Give an inbound hook a new secret",
  description:
    "The response shows the new secret once. Until the overlap ends, calls signed with the old one are taken as well, so that the sender can switch at any time; `overlap_seconds: 0` ends all earlier ones at once.",
  body: RotateHookSecretBody,
  output: CreatedHook,
  example: {
    params: { hook: "orders" },
    body: { overlap_seconds: 3_600 },
    output: { ...exampleCreatedHook, secret_overlap_until: "2026-11-20T10:30:00.000Z" },
  },
  gate: exempt("makes no agent act"),
  errors: [conflict],
  async handle(ctx, { loaded: { name }, body: { overlap_seconds: overlap } }) {
    const hook = await hooks.rows.lock(ctx, name);
    if (!hook) throw refuse(notFound, "The hook was just removed.");
    const left = `${mostEarlier} earlier secrets of the hook still count`;
    const { secret, columns, kept } = replaceSecret(ctx, hook, {
      sealedAs: sealedAs(name),
      key: ctx.port(connectionPort).credentialKey,
      overlap,
      refuse: () => refuse(conflict, `${left}: end them all at once with overlap_seconds: 0.`),
    });
    const earlier = hook.previous_secrets.map((_secret, at) => hook.previous_deciders[at] ?? []);
    const row = await hooks.rows.update(ctx, hook, {
      ...columns,
      secret_deciders: decidersOf(ctx, "secret", `hook:${name}`),
      previous_deciders: kept(earlier, hook.secret_deciders ?? []),
      updated_at: new Date(ctx.now),
    });
    hooks.touch(ctx);
    return { ...hooks.view(row, ctx), secret };
  },
});
