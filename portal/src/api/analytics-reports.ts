import { type ChangeInput, send } from "./client.ts";
import { type Read, read, untold } from "./queries.ts";
import type { Schema } from "./types.ts";

const path = "/v1/analytics/reports";
const onePath = "/v1/analytics/reports/{report}";

export type NewReport = ChangeInput<"post", typeof path>["body"];
/** What a change makes stale. */
export const touched = [path, onePath] as const;

export const listReports = (cursor?: string) =>
  untold(read("/v1/analytics/reports", { query: { limit: 25, ...(cursor ? { cursor } : {}) } }));
export const readReport = (report: string) => untold(read("/v1/analytics/reports/{report}", { path: { report } }));
export const createReport = (body: NewReport) => send("post", "/v1/analytics/reports", { body });
export const removeReport = (report: string) => send("delete", "/v1/analytics/reports/{report}", { path: { report } });
/** What a report said, newest first, without the texts. */
export const listReportIssues = (report: string, cursor?: string) =>
  untold(
    read("/v1/analytics/reports/{report}/issues", {
      path: { report },
      query: { limit: 25, ...(cursor ? { cursor } : {}) },
    }),
  );
/** One of them with its text, which never changes. */
export const readReportIssue = (report: string, issue: string): Read<Schema<"ReportIssueText">> => ({
  ...read("/v1/analytics/reports/{report}/issues/{issue}", { path: { report, issue } }),
  staleTime: Number.POSITIVE_INFINITY,
});
