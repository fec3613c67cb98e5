import { defineSlice } from "../../kernel/slice.ts";
import { exportJobName } from "./export-model.ts";
import { createExportJob } from "./jobs/export-job.ts";
import { exportRetention, exportSweep } from "./jobs/export-sweep.ts";
import type { AuditPort, ExportPort } from "./ports.ts";
import * as schemas from "./schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    exp: "exports";
  }
}

declare module "../../kernel/slice.ts" {
  interface SlicePorts {
    readonly audit: AuditPort;
    readonly exports: ExportPort;
  }
}

export const slice = defineSlice({
  about: "The append-only log of every call, its proofs and exports.",
  schemas,
  actions: {
    "audit.export": {},
    "audit.read": { neverDenied: true },
  },
  sweeps: [exportRetention],
  jobs: [{ name: exportJobName, sweep: exportSweep, handler: (parts, { exports }) => createExportJob(parts, exports) }],
});
