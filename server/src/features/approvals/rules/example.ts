import type { ApprovalRule, ApprovalRuleBody, ApprovalRuleTest } from "./schemas.ts";

const owner = { id: "mbr_01jd8x0000000000000000000e", name: "Owner", kind: "person" } as const;

export const exampleRuleBody: ApprovalRuleBody = {
  title: "Finance looks at large refunds",
  when: { skills: ["judge_refund"], amount: { field: "amount", above: 1000 } },
  require: {
    stages: [
      { quorum: 1, teams: ["finance"] },
      { quorum: 1, roles: ["admin"] },
    ],
    four_eyes: true,
    expires_in_seconds: 86_400,
    on_expiry: "escalate",
  },
};

export const exampleRule: ApprovalRule = {
  rule: "large-refunds",
  title: exampleRuleBody.title,
  version: 2,
  state: "active",
  when: exampleRuleBody.when,
  require: {
    stages: [
      { quorum: 1, roles: [], teams: ["finance"], members: [] },
      { quorum: 1, roles: ["admin"], teams: [], members: [] },
    ],
    four_eyes: true,
    expires_in_seconds: 86_400,
    on_expiry: "escalate",
  },
  author: owner,
  created_at: "2026-11-20T09:30:00.000Z",
  retired_at: null,
  retired_by: null,
  versions: [
    { version: 2, title: exampleRuleBody.title, author: owner, created_at: "2026-11-20T09:30:00.000Z" },
    { version: 1, title: exampleRuleBody.title, author: owner, created_at: "2026-11-19T09:30:00.000Z" },
  ],
};

export const exampleRetiredRule: ApprovalRule = {
  ...exampleRule,
  state: "retired",
  retired_at: "2026-11-21T09:30:00.000Z",
  retired_by: owner,
};

export const exampleRuleTest: ApprovalRuleTest = {
  rule: exampleRule.rule,
  looked_at: { tasks: 10_000, calls: 0, from: "2026-10-20T09:30:00.000Z" },
  caught: 214,
  asked_anyway: 31,
  stages: [
    { quorum: 1, roles: [], teams: ["finance"], members: [], persons: 4 },
    { quorum: 1, roles: ["admin"], teams: [], members: [], persons: 2 },
  ],
  missing: 0,
  wait: { approvals: 812, same_kind: 214, typical_seconds: 5400, long_seconds: 43_200, total_seconds: 988_200 },
  by_agent: [{ agent: "support", caught: 214, asked_anyway: 31 }],
  by_day: [{ day: "2026-11-19", tasks: 412, caught: 9 }],
  examples: [
    {
      task_id: "tsk_01jd8x0000000000000000000n",
      tool: null,
      agent: "support",
      skill: "judge_refund",
      risk: "medium",
      asked_anyway: false,
      created_at: "2026-11-19T10:00:00.000Z",
    },
  ],
  duration_ms: 640,
};
