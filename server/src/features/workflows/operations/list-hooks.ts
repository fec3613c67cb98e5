import { defineList } from "../../../kernel/listing.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { governs } from "../../../kernel/operation.ts";
import { listHooks as readHooks } from "../hook-store.ts";
import { hookView } from "../hook-view.ts";
import { exampleHook } from "../trigger-example.ts";
import { Hook } from "../triggers-schemas.ts";

export const listHooks = defineList({
  id: "workflows.listHooks",
  path: "/v1/hooks",
  summary: "List inbound hooks",
  description: "The hooks of this environment, by name from the last. Their secrets cannot be read.",
  item: Hook,
  example: { item: exampleHook },
  permission: "workflows:read",
  narrowing: whole("events of a hook concern all agents"),
  compliance: governs("hook.read"),
  audit: "hooks",
  sort: "-name",
  read: (ctx, _filter, page) => readHooks(ctx, page),
  position: ({ name }) => name,
  view: (row, ctx) => hookView(ctx, row),
});
