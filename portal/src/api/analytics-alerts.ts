import { type ChangeInput, send } from "./client.ts";
import { read, untold } from "./queries.ts";

export type NewAlert = ChangeInput<"post", "/v1/analytics/alerts">["body"];

export const listAlerts = (cursor?: string) =>
  untold(read("/v1/analytics/alerts", { query: { limit: 50, ...(cursor ? { cursor } : {}) } }));
/** An alert with the history of its state. */
export const readAlert = (alert: string) => untold(read("/v1/analytics/alerts/{alert}", { path: { alert } }));
export const createAlert = (body: NewAlert) => send("post", "/v1/analytics/alerts", { body });
export const pauseAlert = ({ alert, paused }: { alert: string; paused: boolean }) =>
  send("patch", "/v1/analytics/alerts/{alert}", { path: { alert }, body: { paused } });
export const removeAlert = (alert: string) => send("delete", "/v1/analytics/alerts/{alert}", { path: { alert } });
