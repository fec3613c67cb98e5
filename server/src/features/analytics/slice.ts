import { exempt } from "../../kernel/operation.ts";
import { defineSlice } from "../../kernel/slice.ts";
import { alertMailJob, createAlertMailJob } from "./alerts/mail.ts";
import { alertSweep } from "./alerts/sweep.ts";
import { createReportMailJob, reportMailJob } from "./reports/mail.ts";
import { reportSweep } from "./reports/sweep.ts";
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
  jobs: [
    {
      name: alertMailJob,
      sweep: exempt("the e-mail is the job; the alert itself stands in its row and in the events"),
      handler: createAlertMailJob,
    },
    {
      name: reportMailJob,
      sweep: exempt("the e-mail is the job; the report itself stands in its row"),
      handler: createReportMailJob,
    },
  ],
});
