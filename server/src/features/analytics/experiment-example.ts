import type { Experiment } from "./experiment-schemas.ts";

type Arm = Experiment["arms"]["canary"];

const canary: Arm = {
  deployment_id: "dep_01jd8x0000000000000000000g",
  version: 2,
  version_id: "ver_01jd8x0000000000000000000d",
  ...{ tasks: 310, open: 4, completed: 301, failed: 5, judged: 96 },
  accepted: { value: 0.9, low: 0.823, high: 0.945, n: 96 },
  succeeded: { value: 0.984, low: 0.962, high: 0.993, n: 306 },
  ...{ trust_mean: 0.86, cost_per_task: 0.011, duration_p50: 2.4, duration_p90: 6.1 },
};

const quality = {
  ...{ difference: 0.004, low: -0.06, high: 0.068, p_worse: 1, p_holds: 0.05, abort_at: -0.12, promote_at: 0.07 },
};

export const exampleExperiment: Experiment = {
  deployment_id: canary.deployment_id as string,
  agent: "sales",
  state: "canary",
  outcome: null,
  reason: null,
  share: 10,
  held: null,
  rule: { promote: "by_rule", tolerance: 0.05, most_judged: 1000, least_hours: 0, on_limit: "hold" },
  started_at: "2026-11-20T09:00:00.000Z",
  ended_at: null,
  arms: {
    canary,
    stable: {
      ...canary,
      ...{ deployment_id: "dep_01jd8x0000000000000000000f", version: 1, version_id: "ver_01jd8x0000000000000000000c" },
      ...{ tasks: 2804, open: 31, completed: 2720, failed: 50, judged: 880 },
      accepted: { value: 0.896, low: 0.874, high: 0.914, n: 880 },
      succeeded: { value: 0.982, low: 0.976, high: 0.986, n: 2770 },
    },
  },
  looks: [
    {
      ...{ look: 1, at: "2026-11-20T15:00:00.000Z", judged: 25, quality },
      failures: { ...quality, difference: 0.002 },
      verdict: "undecided",
      text: "Neither a drop nor its absence is shown yet.",
    },
  ],
  judged: 101,
  outlook: {
    verdict: "no_worse",
    leads_to: "promotion",
    needed: 299,
    next_look: 150,
    text: "If tasks go on as they did, it is found no worse after about 299 more judged tasks of the canary, and is promoted.",
  },
  notes: [],
};
