import { defineSlice } from "../../kernel/slice.ts";
import { createAdvanceJobs } from "./advance-job.ts";
import * as schemas from "./schemas.ts";
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
  about: "Workflows: graphs of steps that agents, tools and people carry out, and their runs.",
  schemas,
  actions: {
    "workflow.control": {},
    "workflow.read": {},
    "workflow.run": { carriesInput: true },
  },
  sweeps: [createDueSweep()],
  jobs: (parts) => createAdvanceJobs(parts),
});
