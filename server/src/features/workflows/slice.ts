import { defineSlice } from "../../kernel/slice.ts";
import { advanceJobs } from "./advance-job.ts";
import { hookFacts } from "./hook-store.ts";
import type { RunEventsPort } from "./ports.ts";
import * as schemas from "./schemas.ts";
import { triggerSweep } from "./trigger-sweep.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    wfr: "runs of workflows";
    wfv: "versions of workflows";
    wrl: "releases of workflows";
    wtr: "triggers of workflows";
  }
}

declare module "../../kernel/slice.ts" {
  interface SlicePorts {
    readonly runEvents: RunEventsPort;
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
