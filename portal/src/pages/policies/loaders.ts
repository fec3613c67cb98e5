import { listPolicies, listViolations, readPolicy } from "../../api/governance.ts";
import { prefetch } from "../../api/queries.ts";
import { textOf, wordOf } from "../../lib/search.ts";
import type { LoaderContext } from "../context.ts";

const views = ["retired", "violations"] as const;
const tabs = ["text", "found", "versions"] as const;

export interface PoliciesSearch {
  /** Policies in force or being written, by default: those that were retired, or what was found by all of them. */
  readonly view?: (typeof views)[number];
  readonly cursor?: string;
  /** What a figure's link narrows what was found by. */
  readonly source?: string;
  readonly agent?: string;
  readonly created_after?: string;
  readonly created_before?: string;
}
export interface PolicySearch {
  readonly tab?: (typeof tabs)[number];
}

export const narrowings = ["source", "agent", "created_after", "created_before"] as const;
const narrowingsOf = (search: Record<string, unknown>): Partial<Record<(typeof narrowings)[number], string>> =>
  Object.fromEntries(narrowings.map((name) => [name, textOf(search, name)]));

export const listSearch = (search: Record<string, unknown>): PoliciesSearch => ({
  view: wordOf(search, "view", views),
  cursor: textOf(search, "cursor"),
  ...narrowingsOf(search),
});
export const oneSearch = (search: Record<string, unknown>): PolicySearch => ({ tab: wordOf(search, "tab", tabs) });

/** What the rooms show for an address. */
export const policiesOf = ({ view, cursor }: PoliciesSearch) =>
  listPolicies({
    limit: 25,
    state: view === "retired" ? ["retired"] : ["draft", "shadow", "active"],
    ...(view !== "violations" && cursor ? { cursor } : {}),
  });
export const violationsOf = ({ cursor, ...search }: PoliciesSearch) => {
  const given = Object.entries(narrowingsOf(search)).filter(([, value]) => value !== undefined);
  return listViolations({ limit: 25, ...Object.fromEntries(given), ...(cursor ? { cursor } : {}) });
};
export const foundBy = (policy: string) => listViolations({ limit: 25, source: policy });

export const loadList = ({ queryClient }: LoaderContext, search: PoliciesSearch) =>
  search.view === "violations"
    ? prefetch(queryClient, violationsOf(search))
    : prefetch(queryClient, policiesOf(search));
export const loadOne = ({ queryClient }: LoaderContext, policy: string) =>
  prefetch(queryClient, readPolicy(policy), foundBy(policy));
