import { refuse } from "../../../kernel/errors.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { hookExists, tooManyHooks } from "../hook-errors.ts";
import { findHook, type HookRow, hookFacts, insertHook, mostHooks } from "../hook-store.ts";
import { hookView } from "../hook-view.ts";
import { exampleCreatedHook } from "../trigger-example.ts";
import { CreatedHook, CreateHookBody } from "../triggers-schemas.ts";

export const createHook = withPorts(({ webhooks: { credentialKey } }) =>
  defineOperation({
    id: "workflows.createHook",
    method: "POST",
    path: "/v1/hooks",
    status: 201,
    secret: "secret",
    summary: "Create an inbound hook",
    description:
      "Another service then publishes events here: it sends `POST` to `url`, a JSON body of at most 256 KiB signed by Standard Webhooks (`webhook-id`, `webhook-timestamp`, " +
      "`webhook-signature`). No key is needed, the signature is the credential. The response to it is 202, also to a repetition with the same `webhook-id`, which has no effect. " +
      "Each call is the event `hook.received`; triggers and waits match it by the hook, or by the `type` of its body, which may be any but those of the event catalogue. `event` in their " +
      "expressions is the body's `data`, or the whole body where it has none. The response shows the secret once.",
    body: CreateHookBody,
    output: CreatedHook,
    example: {
      body: { name: "orders", description: exampleCreatedHook.description },
      output: exampleCreatedHook,
    },
    location: () => "/v1/hooks",
    permission: "workflows:write",
    load: exempt("names no object; makes one"),
    narrowing: whole("events of a hook concern all agents"),
    gate: exempt("makes no agent act"),
    decides: "hook_payload",
    compliance: governs("hook.change"),
    audit: ({ output }) => (output ? `hook:${output.name}` : "hooks"),
    errors: [hookExists, tooManyHooks],
    async handle(ctx, { body: { name, description = "" } }) {
      const made = await insertHook(ctx, { name, description }, credentialKey);
      if (made === "taken")
        throw refuse(hookExists, `There is a hook ${name} in ${ctx.scope.environment}; choose another name.`);
      if (made === "full")
        throw refuse(tooManyHooks, `There are ${mostHooks} hooks in ${ctx.scope.environment}; remove one first.`);
      ctx.touch(hookFacts);
      return { ...hookView(ctx, (await findHook(ctx, name)) as HookRow), secret: made.secret };
    },
  }),
);
