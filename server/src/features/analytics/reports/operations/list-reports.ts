import { sql } from "../../../../db/scoped.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { reports } from "../resource.ts";

export const listReports = reports.listOperation({
  id: "analytics.listReports",
  summary: "List scheduled reports",
  description: "Newest first, each with when it was made last and when it is made next.",
  narrowing: limitedTo("lists reports that tell of the key's agents only"),
  narrow: (query, { ctx: { principal } }) =>
    principal.agents === null ? query : query.where("r.agents", "<@", sql<string[]>`${principal.agents}::text[]`),
});
