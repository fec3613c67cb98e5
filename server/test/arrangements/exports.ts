import type { Arrangements } from "./arranged.ts";

// Exports of the audit log.

export const arrange: Arrangements = {
  "audit.startExport": async () => ({ params: {}, body: { format: "jsonl", filter: { decision: ["refused"] } } }),
  "audit.readExport": async (app, environment) => {
    const started = await app.call("POST", "/v1/audit/exports", { environment, body: { format: "csv" } });
    return { params: { audit_export: started.body.export_id } };
  },
};
export const seenFromEverywhere: Readonly<Record<string, string>> = {};
