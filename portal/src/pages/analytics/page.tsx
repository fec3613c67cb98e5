import { getRouteApi, notFound } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { AlertsView } from "./alerts/view.tsx";
import { Frame } from "./frame.tsx";
import { viewOf } from "./loaders.ts";
import { ReportsView } from "./reports/view.tsx";
import { viewWords } from "./rooms.ts";
import type { View } from "./search.ts";
import type { ViewProps } from "./view.ts";
import { AnomaliesView } from "./views/anomalies.tsx";
import { ApprovalsView } from "./views/approvals.tsx";
import { ChargebackView } from "./views/chargeback.tsx";
import { CostsView } from "./views/costs.tsx";
import { FunnelView } from "./views/funnel.tsx";
import { KnowledgeView } from "./views/knowledge.tsx";
import { OverviewView } from "./views/overview.tsx";
import { ModelsView, ToolsView } from "./views/parts.tsx";
import { QualityView } from "./views/quality.tsx";
import { QueryView } from "./views/query.tsx";
import { RealtimeView } from "./views/realtime.tsx";
import { RiskView } from "./views/risk.tsx";
import { ServiceLevelsView } from "./views/service-levels.tsx";
import { UsageView } from "./views/usage.tsx";
import { ValueView } from "./views/value.tsx";

const route = getRouteApi("/shell/analytics/$view");

const pages: Record<View, ComponentType<ViewProps>> = {
  overview: OverviewView,
  usage: UsageView,
  costs: CostsView,
  tasks: FunnelView,
  value: ValueView,
  tools: ToolsView,
  models: ModelsView,
  chargeback: ChargebackView,
  quality: QualityView,
  approvals: ApprovalsView,
  "service-levels": ServiceLevelsView,
  risk: RiskView,
  alerts: AlertsView,
  reports: ReportsView,
  anomalies: AnomaliesView,
  knowledge: KnowledgeView,
  realtime: RealtimeView,
  query: QueryView,
};

/** One view of the figures, with the window that its address carries. */
export function AnalyticsPage() {
  const { view: name } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const view = viewOf(name);
  if (view === undefined) throw notFound();
  const Page = pages[view];
  const { title, lead, timeless = false } = viewWords(view);
  const onSearch: ViewProps["onSearch"] = (change) =>
    void navigate({ search: { ...search, ...change }, resetScroll: false });
  return (
    <Frame title={title} lead={lead} view={view} window={search} onWindow={timeless ? undefined : onSearch}>
      <Page search={search} onSearch={onSearch} />
    </Frame>
  );
}
