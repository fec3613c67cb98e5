import { defineSlice } from "../../kernel/slice.ts";
import type { ToolPort } from "./ports.ts";
import * as schemas from "./schemas.ts";

declare module "../../kernel/slice.ts" {
  interface SlicePorts {
    readonly tools: ToolPort;
  }
}

/** What agents' tools may do, and trying them. Its operations are of the group of agents: their ids begin with `agents`. */
export const slice = defineSlice({ schemas, actions: { "agent.test": {} } });
