import { type Arrangements, auditRecord, nothing, sequencedRecord } from "./arranged.ts";

export const arrange: Arrangements = {
  "audit.listEvents": nothing,
  "audit.readEvent": auditRecord,
  "audit.readProof": sequencedRecord,
  "audit.readCheckpoint": nothing,
  "audit.listAccess": nothing,
  "audit.streamLog": nothing,
  "audit.readActor": async () => ({ params: { actor: "system:worker" } }),
  "audit.readObject": async () => ({ params: { type: "policies", id: "walked" } }),
  "audit.checkRange": nothing,
  "audit.readDecision": async (app, environment) => {
    const { task_id } = await app.dispatch({ require_approval: true }, { environment });
    return { params: { task: task_id } };
  },
  "audit.startExport": async () => ({ params: {}, body: { format: "jsonl", filter: { decision: ["refused"] } } }),
  "audit.readExport": async (app, environment) => {
    const started = await app.call("POST", "/v1/audit/exports", { environment, body: { format: "csv" } });
    return { params: { audit_export: started.body.export_id } };
  },
};
