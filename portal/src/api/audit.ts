import { type Answer, type ChangeInput, type GetInput, getText, send } from "./client.ts";
import { read } from "./queries.ts";

/** A record of the log with its exact text, and the public key of the log as the service names it. */
export const readRecord = (auditRef: string) => read("/v1/audit/events/{audit_ref}", { path: { audit_ref: auditRef } });
/** The proof that the record stands in the log, as text (C2SP tlog-proof). */
export const readProofText = (auditRef: string) =>
  getText("/v1/audit/events/{audit_ref}/proof", { path: { audit_ref: auditRef } });
/** The decision record of a task as the file that `aos audit verify` verifies. */
export const readDecisionText = (task: string) =>
  getText("/v1/audit/tasks/{task}", { path: { task } }, "application/json");
/** The records of one task, newest first. */
export const listRecordsOf = (task: string) => read("/v1/audit/events", { query: { task, limit: 50 } });
/** Records of the log that a search finds, newest first. */
export const searchRecords = (query: GetInput<"/v1/audit/events">["query"]) => read("/v1/audit/events", { query });

export type AuditSink = Answer<"/v1/audit/sinks/{sink}">;
export type NewSink = ChangeInput<"post", "/v1/audit/sinks">["body"];

/** Receivers that the audit log is sent to, with their positions. */
export const listSinks = () => read("/v1/audit/sinks", { query: { limit: 100 } });
export const createSink = (body: NewSink) => send("post", "/v1/audit/sinks", { body });
export const changeSink = ({
  sink,
  ...body
}: { sink: string } & ChangeInput<"patch", "/v1/audit/sinks/{sink}">["body"]) =>
  send("patch", "/v1/audit/sinks/{sink}", { path: { sink }, body });
export const removeSink = (sink: string) => send("delete", "/v1/audit/sinks/{sink}", { path: { sink } });
