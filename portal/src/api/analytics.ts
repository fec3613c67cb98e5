import type { WindowSearch } from "../lib/window.ts";
import { ownZone, windowRequest } from "../lib/window-request.ts";
import { type Answer, type GetInput, type GetPath, get } from "./client.ts";
import { type Read, read, untold } from "./queries.ts";

/**
 * A read of figures. What it is known by is the window as an address has it, such as the last 7 days; which times that means is settled again each time it is
 * asked.
 */
function windowed<P extends GetPath>(
  path: P,
  { range, from, to, grain, zone, agent, skill, label }: WindowSearch,
  more: Readonly<Record<string, string | number>> = {},
  inPath?: Readonly<Record<string, string>>,
): Read<Answer<P>> {
  const window = { range, from, to, grain, zone, agent, skill, label };
  return {
    queryKey: [path, { ...window, ...more, ...inPath }],
    queryFn: ({ signal }) => {
      const query = { ...windowRequest(window, Date.now()), ...more };
      return get(path, { ...(inPath ? { path: inPath } : {}), query } as unknown as GetInput<P>, signal);
    },
    untold: true,
  };
}

const byOf = (by: string | undefined): Record<string, string> => (by === undefined ? {} : { by });

export const readOverview = (window: WindowSearch) => windowed("/v1/analytics/overview", window);
export const readUsage = (window: WindowSearch, by?: string) => windowed("/v1/analytics/usage", window, byOf(by));
export const readCosts = (window: WindowSearch, by?: string) => windowed("/v1/analytics/costs", window, byOf(by));
export const readFunnel = (window: WindowSearch) => windowed("/v1/analytics/tasks", window);
export const readValue = (window: WindowSearch) => windowed("/v1/analytics/value", window);
export const readToolUse = (window: WindowSearch) => windowed("/v1/analytics/tools", window);
export const readModelUse = (window: WindowSearch) => windowed("/v1/analytics/models", window);
/** Figures of one agent, which is its own filter. */
export const readAgentFigures = (agent: string, { agent: _, ...window }: WindowSearch) =>
  windowed("/v1/analytics/agents/{agent}", window, {}, { agent });

/** A month's bill in a time zone. */
export function readChargeback({ month, by, zone = ownZone() }: { month?: string; by?: string; zone?: string }) {
  const query = { time_zone: zone, ...(month ? { month } : {}), ...byOf(by) };
  return read("/v1/analytics/chargeback", { query });
}

export const readQuality = (window: WindowSearch) => windowed("/v1/analytics/quality", window);
export const readApprovalFigures = (window: WindowSearch) => windowed("/v1/analytics/approvals", window);
export const readRisk = (window: WindowSearch) => windowed("/v1/analytics/risk", window);
/** Service levels of conversations; they know no skills and no labels. */
export const readServiceLevels = ({ skill: _skill, label: _label, ...window }: WindowSearch) =>
  windowed("/v1/analytics/service-levels", window);
export const readKnowledgeFigures = (window: WindowSearch) => windowed("/v1/analytics/knowledge", window);
export const readAnomalies = (window: WindowSearch) => windowed("/v1/analytics/anomalies", window);
export const readRealtime = () => untold(read("/v1/analytics/realtime", {}));
/** A canary against the live version. */
export const readExperiment = (deployment: string) =>
  untold(read("/v1/analytics/experiments/{deployment}", { path: { deployment } }));
