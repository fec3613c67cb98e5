import { defineSlice } from "../../kernel/slice.ts";
import { advanceRunJob } from "../tasks/public.ts";
import { createAdvanceJob } from "./advance-job.ts";

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
  jobs: (parts) => ({ [advanceRunJob]: createAdvanceJob(parts) }),
});
