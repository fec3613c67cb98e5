import { hooks } from "../resource.ts";

export const listHooks = hooks.listOperation({
  id: "workflows.listHooks",
  summary: "List inbound hooks",
  description: "The hooks of this environment, by name from the last. Their secrets cannot be read.",
  sort: "-name",
});
