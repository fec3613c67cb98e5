import { defineSlice } from "../../kernel/slice.ts";
import { createAdvanceJobs } from "./advance-job.ts";
import { createDueSweep } from "./timers.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    wfr: "runs of workflows";
    wfv: "versions of workflows";
    wrl: "releases of workflows";
    wtr: "triggers of workflows";
  }
}

export const slice = defineSlice({
  actions: {},
  sweeps: [createDueSweep()],
  jobs: (parts) => createAdvanceJobs(parts),
});
