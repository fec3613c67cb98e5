import { readAgentFigures } from "../../api/analytics.ts";
import { listReportIssues, readReport } from "../../api/analytics-reports.ts";
import { prefetch } from "../../api/queries.ts";
import type { LoaderContext } from "../context.ts";
import { readsOf } from "./reads.ts";
import { type AnalyticsSearch, type View, views } from "./search.ts";

export const viewOf = (name: string): View | undefined => views.find((view) => view === name);

export async function loadView({ queryClient }: LoaderContext, name: string, search: AnalyticsSearch): Promise<void> {
  const view = viewOf(name);
  if (view !== undefined) await prefetch(queryClient, ...readsOf(view, search));
}

export const loadAgentFigures = ({ queryClient }: LoaderContext, agent: string, search: AnalyticsSearch) =>
  prefetch(queryClient, readAgentFigures(agent, search));

export const loadReport = ({ queryClient }: LoaderContext, report: string, cursor: string | undefined) =>
  prefetch(queryClient, readReport(report), listReportIssues(report, cursor));
