import { defineSlice } from "../../kernel/slice.ts";
import { createExportJob } from "./exports/jobs/export-job.ts";
import { exportRetention, exportSweep } from "./exports/jobs/export-sweep.ts";
import { exportJobName } from "./exports/rules.ts";
import { wordSweep } from "./log/words.ts";
import { exportPort } from "./ports.ts";
import * as schemas from "./schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    exp: "exports";
  }
}

export const slice = defineSlice({
  about: "The append-only log of every call, its proofs and exports.",
  schemas,
  actions: {
    "audit.export": {},
    "audit.read": { neverDenied: true },
  },
  sweeps: [exportRetention, wordSweep],
  jobs: [
    { name: exportJobName, sweep: exportSweep, handler: (parts) => createExportJob(parts, parts.port(exportPort)) },
  ],
});
