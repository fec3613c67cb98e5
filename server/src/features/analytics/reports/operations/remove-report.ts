import { RemovedReport } from "../../schemas.ts";
import { reports } from "../resource.ts";

export const removeReport = reports.removeOperation({
  id: "analytics.removeReport",
  summary: "Remove a scheduled report",
  description: "Removes the report from its schedule and deletes its issues.",
  output: RemovedReport,
});
