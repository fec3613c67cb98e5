import type { CheckResult } from "./check-schemas.ts";
import type { Policy, PolicyBody, PolicySummary, ReplayReport, Violation } from "./schemas.ts";

const author = "mbr_01jd8x0000000000000000000a";

export const exampleReport: ReplayReport = {
  calls: 8_431,
  not_replayable: 0,
  from: "2026-10-22T10:00:00.000Z",
  to: "2026-11-21T10:00:00.000Z",
  matched: 12,
  failed: 0,
  would_be_denied: 12,
  would_wait: 0,
  no_longer_denied: 0,
  no_longer_wait: 0,
  would_be_redacted: 0,
  would_be_limited: 0,
  examples: [
    {
      audit_ref: "aud_01jd8x0000000000000000000b",
      task_id: "tsk_01jd8x0000000000000000000c",
      agent: "sales",
      before: "allow",
      after: "deny",
    },
  ],
  by_agent: [
    {
      agent: "sales",
      calls: 8_431,
      would_be_denied: 12,
      would_wait: 0,
      no_longer_denied: 0,
      no_longer_wait: 0,
      would_be_redacted: 0,
      would_be_limited: 0,
    },
  ],
  digest: "f1c3a7f8c6d1f7a1c0f4f0fd5a2f7b8a3d2b1c0e9f8d7c6b5a4938271605f4e3",
  duration_ms: 412,
};

export const exampleBody: PolicyBody = {
  name: "No account numbers in lead notes",
  scope: { actions: ["task.dispatch"], agents: ["sales"] },
  when: '"iban" in data.kinds',
  effect: "deny",
  params: {},
  reason_code: "account_number",
  message: "The input holds a bank account number; leave it out.",
  controls: ["gdpr:art5"],
  state: "active",
  note: "After the review of October.",
};

const shown = {
  policy_id: "pol_01jd8x0000000000000000000a",
  version: 1,
  state: "active" as const,
  name: exampleBody.name,
  scope: { actions: ["task.dispatch"], agents: ["sales"] },
  when: exampleBody.when,
  effect: "deny" as const,
  params: {},
  reason_code: exampleBody.reason_code,
  message: exampleBody.message,
  controls: ["gdpr:art5"],
  effective_from: null,
  effective_until: null,
  note: "After the review of October.",
  author,
  created_at: "2026-11-21T10:00:00.000Z",
  activated_at: "2026-11-21T10:00:00.000Z",
  retired_at: null,
  retired_by: null,
  in_force: { active: 1, shadow: null },
};

export const examplePolicy: Policy = {
  ...shown,
  report: exampleReport,
  versions: [
    {
      version: 1,
      state: "active",
      note: shown.note,
      author,
      created_at: shown.created_at,
      activated_at: shown.activated_at,
      retired_at: null,
    },
  ],
};

export const exampleRetired: Policy = {
  ...examplePolicy,
  state: "retired",
  retired_at: "2026-11-22T10:00:00.000Z",
  retired_by: author,
  in_force: { active: null, shadow: null },
  versions: examplePolicy.versions.map((line) => ({
    ...line,
    state: "retired" as const,
    retired_at: "2026-11-22T10:00:00.000Z",
  })),
};

export const exampleSummary: PolicySummary = {
  ...shown,
  violations_30d: { waited: 0, blocked: 3, would_block: 0, would_wait: 0, warned: 0 },
};

export const exampleViolation: Violation = {
  audit_ref: "aud_01jd8x0000000000000000000d",
  source: shown.policy_id,
  version: 1,
  kind: "blocked",
  reason_code: shown.reason_code,
  message: shown.message,
  operation: "agents.dispatchTask",
  action: "task.dispatch",
  agent: "sales",
  task_id: null,
  principal: author,
  at: "2026-11-21T11:00:00.000Z",
  status: "open",
  owner: author,
};

export const exampleCheck: CheckResult = {
  action: "task.dispatch",
  verdict: "deny",
  refused_by: "policy",
  explanation: `It would be refused by ${shown.policy_id}, version 1: ${shown.message}`,
  gate: { state: "open", consequence: "allow", reasons: [] },
  hold: null,
  policies: [
    {
      policy_id: shown.policy_id,
      version: 1,
      state: "active",
      effect: "deny",
      outcome: "applies",
      when: shown.when,
      reason_code: shown.reason_code,
      message: shown.message,
    },
  ],
  approval: null,
  tags: [],
  limits: null,
  redact: null,
  budgets: [{ scope: "agent:sales", unit: "tasks", period: "day", required: 1, available: 488, within_limit: true }],
  context: {
    action: "task.dispatch",
    environment: "development",
    agent: { name: "sales", labels: [] },
    skill: { name: "qualify_lead" },
  },
};
