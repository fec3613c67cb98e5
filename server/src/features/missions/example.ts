import type {
  MissionDecision as Decision,
  Mission,
  MissionBudget,
  MissionReport,
  MissionSummary,
  MissionTask,
  Plan,
  PlanStepBody,
} from "./schemas.ts";

const member = "mbr_01jd8x0000000000000000000e";
const mission_id = "msn_01jd8x0000000000000000000m";
const run_id = "wfr_01jd8x0000000000000000000r";
const at = (time: string): string => `2026-11-23T${time}.000Z`;

export const exampleSettings = {
  goal: "Qualify this week's leads and write to the best of them.",
  measure: {
    skill: "write_mail",
    where: "feedback.accepted == true",
    aggregate: "count",
    target: 1,
    direction: "at_least",
  },
  agents: ["sales"],
  budget: { cost_usd: 5, tasks: 60 },
  deadline: "2026-11-30T17:00:00.000Z",
  autonomy: "approve_writes",
  inputs: { leads: ["ld_1001", "ld_1002"] },
  labels: ["leads"],
} as const;

export const exampleSteps: PlanStepBody[] = [
  {
    id: "qualify_lead",
    agent: "sales",
    skill: "qualify_lead",
    inputs: { each: "input.leads", input: { lead_id: "item" } },
  },
  {
    id: "write_mail",
    agent: "sales",
    skill: "write_mail",
    inputs: {
      best: { of: "qualify_lead", count: 1, by: "item.output.score", where: "item.output.qualified" },
      input: { lead_id: "item.input.lead_id" },
    },
    depends_on: ["qualify_lead"],
  },
];

const risk = { level: "low", score: 0.12 } as const;
const estimate = (value: number, low: number, high: number) => ({ value, low, high });
const evidence = { tasks: 40, succeeded: 38 };
const estimated = { require_approval: false, attempts: 1, risk, evidence };

export const examplePlan: Plan = {
  mission_id,
  plan: 1,
  status: "accepted",
  origin: "template",
  note: "",
  steps: [
    {
      ...(exampleSteps[0] as PlanStepBody),
      ...estimated,
      title: "Qualify lead",
      depends_on: [],
      tasks: 2,
      cost_usd: estimate(0.04, 0.03, 0.05),
      success: estimate(0.95, 0.84, 0.99),
    },
    {
      ...(exampleSteps[1] as PlanStepBody),
      ...estimated,
      title: "Write mail",
      depends_on: ["qualify_lead"],
      require_approval: true,
      tasks: 1,
      cost_usd: estimate(0.03, 0.02, 0.04),
      success: estimate(0.95, 0.84, 0.99),
    },
  ],
  total: { tasks: 3, cost_usd: estimate(0.07, 0.05, 0.09), succeeding: estimate(2.85, 2.52, 2.97), risk },
  findings: [],
  leaves_open: ["Whether people accept the results: the measure counts feedback."],
  author: member,
  created_at: at("09:01:00"),
  accepted_at: at("09:02:00"),
  accepted_by: member,
};

const measured: MissionSummary["measured"] = {
  value: 0,
  low: 0,
  high: 0,
  target: 1,
  direction: "at_least",
  reached: false,
  results: 0,
  counted: 0,
  faults: 0,
};
const spend: MissionSummary["spend"] = {
  limit_usd: 5,
  planned_usd: 0.07,
  reserved_usd: 0.2,
  spent_usd: 0.02,
  left_usd: 4.78,
  limit_tasks: 60,
  used_tasks: 2,
};

export const exampleSummary: MissionSummary = {
  mission_id,
  goal: exampleSettings.goal,
  status: "running",
  health: "on_track",
  agents: ["sales"],
  autonomy: "approve_writes",
  measure: exampleSettings.measure,
  measured,
  tasks: { planned: 3, open: 1, waiting: 0, completed: 1, failed: 0, cancelled: 0, not_made: 0 },
  spend,
  deadline: exampleSettings.deadline,
  plan: 1,
  open_decisions: 0,
  held_by: null,
  labels: ["leads"],
  created_by: member,
  created_at: at("09:00:00"),
  updated_at: at("09:02:00"),
  started_at: at("09:02:00"),
  finished_at: null,
};

export const exampleMission: Mission = {
  ...exampleSummary,
  inputs: { leads: ["ld_1001", "ld_1002"] },
  accepted_plan: examplePlan,
  proposed_plan: null,
  blockers: [],
  next_decision: null,
  workflow: `mission-${mission_id}`,
  run_id,
  cloned_from: null,
  outcome: null,
  revision: 1,
};

export const exampleDraft: Mission = {
  ...exampleMission,
  status: "draft",
  health: "not_started",
  plan: null,
  accepted_plan: null,
  workflow: null,
  run_id: null,
  blockers: [
    {
      code: "no_plan",
      detail: "No plan is accepted.",
      remedy: `Propose one by POST /v1/missions/${mission_id}/plan, then start it.`,
    },
  ],
  tasks: { planned: 0, open: 0, waiting: 0, completed: 0, failed: 0, cancelled: 0, not_made: 0 },
  spend: { ...spend, planned_usd: null, reserved_usd: 0, spent_usd: 0, left_usd: 5, used_tasks: 0 },
  started_at: null,
};

export const exampleDecision: Decision = {
  decision_id: "mdc_01jd8x0000000000000000000q",
  mission_id,
  kind: "question",
  question: "May we write to leads outside of the EU?",
  options: [
    { id: "yes", label: "Yes" },
    { id: "no", label: "No" },
  ],
  context: { leads: 3 },
  status: "open",
  answer: null,
  comment: null,
  asked_by: member,
  asked_at: at("09:05:00"),
  answered_by: null,
  answered_at: null,
};

export const exampleTask: MissionTask = {
  task_id: "tsk_01jd8x0000000000000000000a",
  step: "qualify_lead",
  by_hand: false,
  depends_on: [],
  run_id,
  title: "Qualify lead ld_1001",
  agent: "sales",
  skill: "qualify_lead",
  status: "completed",
  risk: "low",
  trust_score: 0.87,
  cost_usd: 0.02,
  reserved_usd: 0,
  held_by: null,
  created_at: at("09:02:01"),
  finished_at: at("09:02:09"),
};

export const exampleBudget: MissionBudget = {
  ...spend,
  forecast_usd: estimate(0.07, 0.05, 0.09),
  by_step: [
    { step: "qualify_lead", planned_usd: 0.04, reserved_usd: 0.2, spent_usd: 0.02, tasks: 2 },
    { step: "write_mail", planned_usd: 0.03, reserved_usd: 0, spent_usd: 0, tasks: 0 },
  ],
};

export const exampleReport: MissionReport = {
  mission_id,
  goal: exampleSettings.goal,
  status: "running",
  measure: exampleSettings.measure,
  measured,
  outcome: null,
  tasks: exampleSummary.tasks,
  budget: exampleBudget,
  plan: 1,
  steps: [
    {
      step: "qualify_lead",
      title: "Qualify lead",
      agent: "sales",
      skill: "qualify_lead",
      tasks: 2,
      completed: 1,
      failed: 0,
      cost_usd: 0.02,
      success: estimate(1, 0.17, 1),
    },
  ],
  decisions: [],
  started_at: exampleSummary.started_at,
  finished_at: null,
  generated_at: at("09:10:00"),
};
