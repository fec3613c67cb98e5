import { defineProblem } from "../../kernel/errors.ts";

export const tooManyAlerts = defineProblem({
  code: "too_many_alerts",
  status: 409,
  title: "Too many alerts",
  cause: "The number of alerts in an environment is limited, because each of them is measured about once a minute.",
  remedy:
    "Remove alerts that you no longer need (DELETE /v1/analytics/alerts/{alert}), or let one alert watch several agents.",
  retryable: false,
});

export const tooManyReports = defineProblem({
  code: "too_many_reports",
  status: 409,
  title: "Too many reports",
  cause: "The number of reports in an environment is limited, because each of them is made and kept by its schedule.",
  remedy:
    "Remove reports that you no longer need (DELETE /v1/analytics/reports/{report}), which deletes what they have made, or let one report tell of several agents.",
  retryable: false,
});

export const mostWatched = 100;
