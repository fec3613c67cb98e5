import { defineSlice } from "../../kernel/slice.ts";
import { alertMailJob, createAlertMailJob } from "./alert-mail.ts";
import { alertSweep } from "./alert-sweep.ts";
import { createReportMailJob, reportMailJob } from "./report-mail.ts";
import { reportSweep } from "./report-sweep.ts";
import * as schemas from "./schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    alr: "alerts";
    iss: "issues of scheduled reports";
    rpt: "scheduled reports";
  }
}

export const slice = defineSlice({
  about: "What agents did, whether it was good, and what it cost.",
  schemas,
  actions: {
    "analytics.change": {},
    "analytics.read": {},
  },
  sweeps: [alertSweep, reportSweep],
  jobs: (parts, ports) => ({
    [alertMailJob]: createAlertMailJob(parts, ports),
    [reportMailJob]: createReportMailJob(parts, ports),
  }),
});
