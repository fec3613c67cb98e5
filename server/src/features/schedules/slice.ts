import { defineSlice } from "../../kernel/slice.ts";
import { scheduleSweep } from "./schedule-sweep.ts";
import * as schemas from "./schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    sch: "schedules of agents";
  }
}

/** Recurring dispatches. Its operations are of the group of agents: their ids begin with `agents`. */
export const slice = defineSlice({ schemas, actions: { "agent.schedule": {} }, sweeps: [scheduleSweep] });
