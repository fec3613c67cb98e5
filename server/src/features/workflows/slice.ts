import { defineSlice } from "../../kernel/slice.ts";
import { hookFacts } from "./hooks/facts.ts";
import { advanceJobs } from "./runs/jobs/advance.ts";
import * as schemas from "./schemas.ts";
import { triggerSweep } from "./triggers/jobs/sweep.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    wfr: "runs of workflows";
    wfv: "versions of workflows";
    wrl: "releases of workflows";
    wtr: "triggers of workflows";
  }
}

export const slice = defineSlice({
  about: "Workflows, their versions, triggers and runs.",
  schemas,
  actions: {
    "hook.change": {},
    "hook.read": {},
    "hook.receive": { carriesInput: true },
    "workflow.change": {},
    "workflow.control": {},
    "workflow.create": {},
    "workflow.publish": {},
    "workflow.read": {},
    "workflow.run": { carriesInput: true },
    "workflow.trigger": {},
  },
  facts: [hookFacts],
  sweeps: [triggerSweep],
  jobs: advanceJobs,
});
