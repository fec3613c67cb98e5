import { defineSlice } from "../../kernel/slice.ts";
import { heldSweep } from "./jobs/held-sweep.ts";

/** What machines do while a task runs. Its operations are the service's own, so it is no group of the interface: their ids begin with `tasks`. */
export const slice = defineSlice({
  actions: {
    "model.call": {},
    "task.run": { waits: true },
    "tool.call": { waits: true },
  },
  sweeps: [heldSweep],
});
