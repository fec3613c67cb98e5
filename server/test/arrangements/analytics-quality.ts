import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import { type Arrange, type Arrangements, nothing } from "./arranged.ts";

export const alertBody = {
  name: "Tasks in an hour",
  filters: { agent: ["sales"] },
  measure: "tasks",
  condition: { kind: "above", threshold: 100 },
};

const newAlert = async (app: TestApp, environment: Environment): Promise<string> => {
  const { status, body, text } = await app.call("POST", "/v1/analytics/alerts", { environment, body: alertBody });
  if (status !== 201) throw new Error(`POST /v1/analytics/alerts answered ${status}: ${text}`);
  return body.alert_id;
};

const onAlert =
  (body?: object): Arrange =>
  async (app, environment) => ({ params: { alert: await newAlert(app, environment) }, ...(body && { body }) });

export const arrange: Arrangements = {
  "analytics.readQuality": nothing,
  "analytics.readApprovalFigures": nothing,
  "analytics.readServiceLevels": nothing,
  "analytics.readRisk": nothing,
  "analytics.readKnowledgeFigures": nothing,
  "analytics.readAnomalies": nothing,
  "analytics.readRealtime": nothing,
  "analytics.listAlerts": nothing,
  "analytics.readAlert": onAlert(),
  "analytics.createAlert": async () => ({ params: {}, body: alertBody }),
  "analytics.changeAlert": onAlert({ paused: true }),
  "analytics.removeAlert": onAlert(),
};
