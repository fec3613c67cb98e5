import type { AnalyticsSearch } from "./search.ts";

/** What a view is given: what its address says, and how it changes that. */
export interface ViewProps {
  readonly search: AnalyticsSearch;
  readonly onSearch: (change: Partial<AnalyticsSearch>) => void;
}
