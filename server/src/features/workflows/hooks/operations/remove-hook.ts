import { exempt } from "../../../../kernel/operation.ts";
import { RemovedHook } from "../../triggers/schemas.ts";
import { hooks } from "../resource.ts";

export const removeHook = hooks.removeOperation({
  id: "workflows.removeHook",
  summary: "Remove an inbound hook",
  description: "Its secret is destroyed, and calls of it are refused from now on. Events that it has published stay.",
  output: RemovedHook,
  decides: exempt("removes a hook; nothing arrives by it"),
});
