import type { View } from "./search.ts";

interface ViewWords {
  readonly view: View;
  readonly title: string;
  readonly lead: string;
  /** Without a window of time: it is about now, or has its own. */
  readonly timeless?: boolean;
  /** What else the session must be allowed to. */
  readonly needs?: string;
}

/** The views of the room, in groups, in the order of its list. */
export const viewGroups: readonly { readonly name: string; readonly views: readonly ViewWords[] }[] = [
  {
    name: "What happened",
    views: [
      { view: "overview", title: "Overview", lead: "Tasks, quality, cost and risk on one page." },
      { view: "usage", title: "Usage", lead: "Volume, latency and tokens." },
      { view: "tasks", title: "Outcomes", lead: "From dispatch to an accepted outcome, and where tasks drop out." },
      { view: "realtime", title: "Running now", lead: "Open tasks, workers and throughput.", timeless: true },
    ],
  },
  {
    name: "Was it good",
    views: [
      { view: "quality", title: "Quality", lead: "Accepted outcomes, trust, evaluations and drift." },
      { view: "approvals", title: "Approvals", lead: "How long people take, what they change, and signs of fatigue." },
      {
        view: "service-levels",
        title: "Service levels",
        lead: "How soon people take conversations over and answer them.",
      },
      { view: "risk", title: "Risk", lead: "Blocks, near misses and exposure." },
      { view: "anomalies", title: "Anomalies", lead: "Unusual cost, loops and silence." },
    ],
  },
  {
    name: "What did it cost",
    views: [
      { view: "costs", title: "Costs", lead: "Spend, budgets and forecast." },
      { view: "value", title: "Value", lead: "Time saved and outcome value against cost." },
      {
        view: "chargeback",
        title: "Chargeback",
        lead: "The bill of a month, by team, customer or key.",
        timeless: true,
      },
    ],
  },
  {
    name: "By part",
    views: [
      { view: "tools", title: "Tools", lead: "Use, failures and cost of tools." },
      { view: "models", title: "Models", lead: "Mix, price, latency and failures of models." },
      { view: "knowledge", title: "Knowledge", lead: "Hit rate, unused documents and gaps." },
    ],
  },
  {
    name: "Your own",
    views: [
      { view: "query", title: "Query", lead: "Any measure by any dimension." },
      { view: "alerts", title: "Alerts", lead: "Thresholds and anomalies that notify.", timeless: true },
      { view: "reports", title: "Reports", lead: "Figures sent on a schedule.", timeless: true },
    ],
  },
];

export const viewWords = (view: View): ViewWords =>
  viewGroups.flatMap(({ views }) => views).find((one) => one.view === view) as ViewWords;
