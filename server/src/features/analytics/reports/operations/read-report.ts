import { reports } from "../resource.ts";

export const readReport = reports.readOperation({
  id: "analytics.readReport",
  summary: "Read a scheduled report",
});
