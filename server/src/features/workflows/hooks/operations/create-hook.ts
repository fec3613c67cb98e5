import { drawSecret } from "../../../../db/webhook-secrets.ts";
import { decidersOf } from "../../../../kernel/actor.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { connectionPort } from "../../../admin/public.ts";
import { hookExists, tooManyHooks } from "../../errors.ts";
import { exampleCreatedHook } from "../../triggers/example.ts";
import { CreatedHook, CreateHookBody } from "../../triggers/schemas.ts";
import { sealedAs } from "../facts.ts";
import { hooks } from "../resource.ts";

export const createHook = defineOperation({
  ...hooks.changeOfAll(),
  id: "workflows.createHook",
  method: "POST",
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
  gate: exempt("makes no agent act"),
  audit: ({ output }) => (output ? `hook:${output.name}` : "hooks"),
  errors: [hookExists, tooManyHooks],
  async handle(ctx, { body: { name, description = "" } }) {
    const { secret, sealed } = drawSecret(ctx.port(connectionPort).credentialKey, ctx.scope, sealedAs(name));
    const now = new Date(ctx.now);
    const row = await hooks.rows.insert(ctx, {
      name,
      description,
      secret: sealed,
      secret_deciders: decidersOf(ctx, "secret", `hook:${name}`),
      author: ctx.principal.id,
      created_at: now,
      updated_at: now,
    });
    hooks.touch(ctx);
    return { ...hooks.view(row, ctx), secret };
  },
});
