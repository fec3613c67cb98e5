import type { Static } from "typebox";
import { exampleHead, figure } from "./quality-example.ts";
import type { AnomalyFigures, KnowledgeFigures, RealtimeFigures, RiskFigures } from "./schemas.ts";

// Values that fit the schemas, shown in the description.

const none = { n: 0, link: null, items: [] };
const counts = { violations: figure(14, 14, 9), blocked: figure(12, 12, 8), policy_denials: figure(11, 11, 8) };
const bySource = {
  ...counts,
  pause_blocks: figure(1, 1, 0),
  kill_switch_blocks: figure(0, 0, 0),
  gate_blocks: figure(0, 0, 0),
  budget_blocks: figure(0, 0, 0),
};
const day = { from: "2026-11-10T00:00:00.000Z", to: "2026-11-11T00:00:00.000Z", complete: true };

export const exampleRisk: Static<typeof RiskFigures> = {
  ...exampleHead,
  figures: bySource,
  near_misses: { rejected: 6, would_have: 2, warned: 1, approved_wrong: 3 },
  series: [{ ...day, values: { violations: 2, policy_denials: 1 } }],
  reasons: [{ key: { policy: "pol_01jd8x0000000000000000000q", reason: "amount_above_limit" }, figures: counts }],
  by_agent: [{ key: { agent: "sales" }, figures: counts }],
  exposure: {
    open_high_risk: {
      n: 2,
      link: "/v1/tasks?status=queued,awaiting_approval,running,input_required&risk=high,critical",
      items: [
        {
          name: "sales",
          n: 2,
          link: "/v1/tasks?status=queued,awaiting_approval,running,input_required&risk=high,critical&agent=sales",
        },
      ],
    },
    unknown_outcomes: none,
    kill_switches: {
      n: 1,
      link: "/v1/governance/kill-switch",
      items: [
        {
          id: "ksw_01jd8x0000000000000000000s",
          what: "tool send_email: It wrote to the wrong people.",
          since: "2026-11-22T14:00:00.000Z",
        },
      ],
    },
    ...{ pauses: none, exceptions: none, steered: none },
  },
};

const base = "/v1/knowledge/bases/kb_01jd8x0000000000000000000k";

export const exampleKnowledge: Static<typeof KnowledgeFigures> = {
  ...exampleHead,
  questions: 420,
  hit_rate: { value: 0.86, low: 0.823, high: 0.89, n: 420 },
  series: [{ ...day, values: { questions: 18, hit_rate: 0.89 } }],
  bases: [
    {
      ...{ base_id: "kb_01jd8x0000000000000000000k", name: "handbook", questions: 420 },
      hit_rate: { value: 0.86, low: 0.823, high: 0.89, n: 420 },
      ...{ documents: 64, unused: 9, stale: 2 },
      links: { documents: `${base}/documents`, gaps: `${base}/gaps`, stale: `${base}/stale` },
    },
  ],
  unused: [
    {
      ...{
        document_id: "doc_01jd8x0000000000000000000d",
        base_id: "kb_01jd8x0000000000000000000k",
        title: "Old prices",
      },
      ...{ last_retrieved_at: null, created_at: "2026-03-02T09:00:00.000Z" },
    },
  ],
  gaps: [
    {
      ...{ base_id: "kb_01jd8x0000000000000000000k", question: "How long is the warranty of spare parts?", asked: 7 },
      ...{ last_asked_at: "2026-11-22T15:10:00.000Z", agents: ["support"], link: `${base}/gaps` },
    },
  ],
};

export const exampleAnomalies: Static<typeof AnomalyFigures> = {
  ...exampleHead,
  method: "Each hour is compared with the same hours of the six weeks before.",
  ...{ level: 0.05, hours: 3_600 },
  agents: [{ agent: "sales", weeks: 6, enough: true }],
  anomalies: [
    {
      ...{ kind: "cost", agent: "sales", from: "2026-11-22T03:00:00.000Z", to: "2026-11-22T04:00:00.000Z" },
      ...{ observed: 9.4, expected: 0.62, low: 0.2, high: 1.5, n: 24, p_value: 0.0000004 },
      text: "sales spent 9.40 US dollars between 03:00 and 04:00 UTC on 2026-11-22, where 0.62 is usual.",
      link: "/v1/tasks?agent=sales&created_after=2026-11-22T03%3A00%3A00.000Z&created_before=2026-11-22T04%3A00%3A00.000Z",
    },
  ],
};

export const exampleRealtime: Static<typeof RealtimeFigures> = {
  as_of: "2026-11-23T10:00:00.000Z",
  states: [{ status: "running", n: 3, oldest_at: "2026-11-23T09:58:40.000Z", link: "/v1/tasks?status=running" }],
  agents: [
    {
      ...{ agent: "sales", queued: 4, running: 3, awaiting_approval: 1, input_required: 0 },
      oldest_at: "2026-11-23T09:41:00.000Z",
    },
  ],
  workers: { busy: 1, tasks: 3, lapsed: 0 },
  minutes: [{ from: "2026-11-23T09:59:00.000Z", tasks: 12, completed: 9, failed: 0 }],
  more: false,
};
