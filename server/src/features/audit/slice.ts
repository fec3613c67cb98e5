import { defineSlice } from "../../kernel/slice.ts";
import { createExportJob } from "./exports/jobs/export-job.ts";
import { exportRetention, exportSweep } from "./exports/jobs/export-sweep.ts";
import { exportJobName } from "./exports/rules.ts";
import { wordSweep } from "./log/words.ts";
import { auditPort, exportPort, sinkPort } from "./ports.ts";
import * as schemas from "./schemas.ts";
import { createSinkJob } from "./sinks/jobs/sink-job.ts";
import { sinkSweep } from "./sinks/jobs/sink-sweep.ts";
import { sinkJobName } from "./sinks/rules.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    exp: "exports";
    snk: "audit sinks";
  }
}

export const slice = defineSlice({
  about: "The append-only log of every call, its proofs and exports, and the sinks that it is sent to.",
  schemas,
  actions: {
    "audit.export": {},
    "audit.read": { neverDenied: true },
  },
  sweeps: [exportRetention, wordSweep],
  jobs: [
    { name: exportJobName, sweep: exportSweep, handler: (parts) => createExportJob(parts, parts.port(exportPort)) },
    {
      name: sinkJobName,
      sweep: sinkSweep,
      handler: (parts) =>
        createSinkJob(parts, {
          audit: parts.port(auditPort),
          exports: parts.port(exportPort),
          sinks: parts.port(sinkPort),
        }),
    },
  ],
});
