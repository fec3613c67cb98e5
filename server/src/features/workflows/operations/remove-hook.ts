import { Type } from "typebox";
import { whole } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { deleteHook, findHook, hookFacts } from "../hook-store.ts";
import { HookName, RemovedHook } from "../triggers-schemas.ts";

export const removeHook = defineOperation({
  id: "workflows.removeHook",
  method: "DELETE",
  path: "/v1/hooks/{hook}",
  summary: "Remove an inbound hook",
  description: "Its secret is destroyed, and calls of it are refused from now on. Events that it has published stay.",
  params: Type.Object({ hook: HookName }),
  output: RemovedHook,
  example: { params: { hook: "orders" }, output: { name: "orders", removed: true } },
  permission: "workflows:write",
  load: (ctx, { hook }) => findHook(ctx, hook),
  narrowing: whole("events of a hook concern all agents"),
  gate: exempt("makes no agent act"),
  decides: exempt("removes a hook; nothing arrives by it"),
  compliance: governs("hook.change"),
  audit: ({ params }) => `hook:${params.hook}`,
  async handle(ctx, { loaded: { name } }) {
    await deleteHook(ctx, name);
    ctx.touch(hookFacts);
    return { name, removed: true as const };
  },
});
