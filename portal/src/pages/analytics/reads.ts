import {
  readAnomalies,
  readApprovalFigures,
  readChargeback,
  readCosts,
  readFunnel,
  readKnowledgeFigures,
  readModelUse,
  readOverview,
  readQuality,
  readRealtime,
  readRisk,
  readServiceLevels,
  readToolUse,
  readUsage,
  readValue,
} from "../../api/analytics.ts";
import { listAlerts } from "../../api/analytics-alerts.ts";
import { readAnalyticsSchema } from "../../api/analytics-query.ts";
import { listReports } from "../../api/analytics-reports.ts";
import type { Read } from "../../api/queries.ts";
import type { AnalyticsSearch, View } from "./search.ts";

type Reads = (search: AnalyticsSearch) => readonly Read<unknown>[];

/** What each view needs before it is shown. */
const reads: Record<View, Reads> = {
  overview: (search) => [readOverview(search)],
  usage: (search) => [readUsage(search, search.by ?? "agent")],
  costs: (search) => [readCosts(search, search.by ?? "agent")],
  tasks: (search) => [readFunnel(search)],
  value: (search) => [readValue(search)],
  tools: (search) => [readToolUse(search)],
  models: (search) => [readModelUse(search)],
  chargeback: (search) => [readChargeback(search)],
  quality: (search) => [readQuality(search)],
  approvals: (search) => [readApprovalFigures(search)],
  "service-levels": (search) => [readServiceLevels(search)],
  risk: (search) => [readRisk(search)],
  alerts: () => [listAlerts()],
  reports: ({ cursor }) => [listReports(cursor)],
  anomalies: (search) => [readAnomalies(search)],
  knowledge: (search) => [readKnowledgeFigures(search)],
  realtime: () => [readRealtime()],
  query: () => [readAnalyticsSchema()],
};

export const readsOf = (view: View, search: AnalyticsSearch): readonly Read<unknown>[] => reads[view](search);
