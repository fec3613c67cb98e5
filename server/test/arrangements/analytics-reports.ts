import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import type { Arrange, Arrangements } from "./arranged.ts";
import { nothing } from "./arranged.ts";

export const reportBody = { name: "Weekly", agent: "sales", schedule: "0 7 * * 1", period: "week" };

const newReport = async (app: TestApp, environment: Environment): Promise<string> => {
  const { status, body, text } = await app.call("POST", "/v1/analytics/reports", { environment, body: reportBody });
  if (status !== 201) throw new Error(`POST /v1/analytics/reports answered ${status}: ${text}`);
  return body.report_id;
};

const onReport: Arrange = async (app, environment) => ({ params: { report: await newReport(app, environment) } });

export const arrange: Arrangements = {
  "analytics.createReport": async () => ({ params: {}, body: reportBody }),
  "analytics.listReportIssues": onReport,
  "analytics.listReports": nothing,
  "analytics.readReport": onReport,
  "analytics.readReportIssue": async (app, environment) => {
    const report = await newReport(app, environment);
    const issue = `iss_${report.slice(4)}`;
    await app.pool.query(
      `insert into analytics_issues (organization, environment, id, report, occasion, starts, ends, complete, media_type, body, created_at)
       values ('default', $1, $2, $3, now(), now(), now(), true, 'text/markdown', '# Weekly', now())`,
      [environment, issue, report],
    );
    return { params: { report, issue } };
  },
  "analytics.removeReport": onReport,
};
