import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { conflict, notFound } from "../../../kernel/problems.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { findHook, type HookRow, hookFacts, lockHook, replaceHookSecret } from "../hook-store.ts";
import { hookView } from "../hook-view.ts";
import { exampleCreatedHook } from "../trigger-example.ts";
import { CreatedHook, HookName, RotateHookSecretBody } from "../triggers-schemas.ts";

/** Seconds for which calls with the old secret are taken by default. */
const standardOverlap = 86_400;
/** Most earlier secrets that count at a time. */
const mostEarlier = 5;

export const rotateSecret = withPorts(({ webhooks: { credentialKey } }) =>
  defineOperation({
    id: "workflows.rotateSecret",
    method: "POST",
    path: "/v1/hooks/{hook}/rotate-secret",
    secret: "secret",
    summary: "Give an inbound hook a new secret",
    description:
      "The response shows the new secret once. Until the overlap ends, calls signed with the old one are taken as well, so that the sender can switch at any time; `overlap_seconds: 0` ends all earlier ones at once.",
    params: Type.Object({ hook: HookName }),
    body: RotateHookSecretBody,
    output: CreatedHook,
    example: {
      params: { hook: "orders" },
      body: { overlap_seconds: 3_600 },
      output: { ...exampleCreatedHook, secret_overlap_until: "2026-11-20T10:30:00.000Z" },
    },
    permission: "workflows:write",
    load: (ctx, { hook }) => findHook(ctx, hook),
    narrowing: whole("events of a hook concern all agents"),
    gate: exempt("makes no agent act"),
    decides: "hook_payload",
    compliance: governs("hook.change"),
    audit: ({ params }) => `hook:${params.hook}`,
    errors: [conflict],
    async handle(ctx, { loaded: { name }, body: { overlap_seconds: overlap = standardOverlap } }) {
      const hook = await lockHook(ctx, name);
      if (!hook) throw refuse(notFound, "The hook was just removed.");
      const earlier = hook.previous_untils.filter((until) => until.getTime() > ctx.now).length;
      if (overlap > 0 && earlier >= mostEarlier)
        throw refuse(
          conflict,
          `${mostEarlier} earlier secrets of the hook still count: end them all at once with overlap_seconds: 0.`,
        );
      const secret = await replaceHookSecret(ctx, name, credentialKey, overlap * 1000);
      ctx.touch(hookFacts);
      return { ...hookView(ctx, (await findHook(ctx, name)) as HookRow), secret };
    },
  }),
);
