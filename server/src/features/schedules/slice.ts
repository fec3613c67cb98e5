import { defineSlice } from "../../kernel/slice.ts";
import * as schemas from "./schemas.ts";
import { scheduleSweep } from "./sweep.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    sch: "schedules of agents";
  }
}

/** Recurring dispatches. Its operations are of the group of agents: their ids begin with `agents`. */
export const slice = defineSlice({ schemas, actions: { "agent.schedule": {} }, sweeps: [scheduleSweep] });
