import type { TaskEvent } from "./ports.ts";
import type {
  BatchState,
  CancelledTasks,
  Step,
  Task,
  TaskBatchResult,
  TaskChildren,
  TaskComment,
  TaskCost,
  TaskEstimate,
  TaskFeedback,
  TaskResult,
  TaskTrace,
  TaskTrust,
} from "./schemas.ts";

export const exampleTask: Task = {
  task_id: "tsk_01jd8x0000000000000000000a",
  status: "awaiting_approval",
  trust_score: 0.5,
  audit_ref: "aud_01jd8x0000000000000000000b",
  agent: "sales",
  version: 1,
  version_id: "ver_01jd8x0000000000000000000c",
  task: "qualify_lead",
  title: "Qualify lead ld_1001",
  input: { lead_id: "ld_1001" },
  require_approval: true,
  approval_id: "apr_01jd8x0000000000000000000d",
  approve_url: "http://127.0.0.1:4000/approvals/tsk_01jd8x0000000000000000000a",
  priority: 0,
  deadline: null,
  not_before: null,
  batch_id: null,
  run: null,
  conversation_id: null,
  labels: [],
  tags: ["gate:missing"],
  trust: { score: 0.5, low: 0.1958, high: 0.8042, parts: { base: 0, runs: 0 }, digest: "sha256:9f2c" },
  risk: {
    level: "medium",
    score: 4,
    impact: 2,
    likelihood: 4,
    inputs: {
      data: "personal",
      reversible: true,
      external: false,
      money: 0,
      persons: 1,
      unattended: false,
      trust_low: 0.1958,
    },
    floors: [],
    lower: { change: { input: "trust_low", to: 0.5 }, level: "low" },
  },
  attempt: 0,
  question: null,
  paused: null,
  held_by: null,
  output: null,
  predictions: null,
  failure: null,
  cost_usd: 0,
  tokens: 0,
  requested_by: "mbr_01jd8x0000000000000000000e",
  created_at: "2026-11-20T09:30:00.000Z",
  updated_at: "2026-11-20T09:30:00.000Z",
  started_at: null,
  finished_at: null,
};

export const exampleEvent: TaskEvent = {
  sequence: 1,
  event_id: "evt_01jd8x0000000000000000000f",
  type: "task.created",
  time: "2026-11-20T09:30:00.000Z",
  data: {
    event: "task.created",
    task_id: exampleTask.task_id,
    agent: "sales",
    task: "qualify_lead",
    status: "awaiting_approval",
    trust_score: 0.5,
    audit_ref: exampleTask.audit_ref,
  },
};

export const exampleStep: Step = {
  step_id: "stp_01jd8x0000000000000000000g",
  attempt: 1,
  number: 1,
  kind: "tool",
  name: "get_lead",
  state: "finished",
  input: { id: "ld_1001" },
  output: { id: "ld_1001", fields: { company: "Sample Ltd" } },
  failure: null,
  verdict: "allow",
  edit_approval_id: null,
  reused_from: null,
  cost_usd: 0,
  tokens: 0,
  started_at: "2026-11-20T09:30:01.000Z",
  finished_at: "2026-11-20T09:30:01.000Z",
};

export const exampleResult: TaskResult = {
  task_id: exampleTask.task_id,
  status: "completed",
  final: true,
  output: { qualified: true },
  predictions: {
    "/qualified": [
      { value: true, probability: 0.93 },
      { value: false, probability: 0.07 },
    ],
  },
  failure: null,
  held_by: null,
  trust_score: 0.5,
  result_ref: "aud_01jd8x0000000000000000000r",
  files: [],
};

export const exampleBatch = {
  items: [
    { agent: "sales", task: "qualify_lead", lead_id: "ld_1001" },
    { agent: "sales", task: "qualify_lead", lead_id: "ld_1002", require_approval: true },
  ],
};

export const exampleBatchResult: TaskBatchResult = {
  batch_id: "bat_01jd8x0000000000000000000h",
  succeeded: 2,
  failed: 0,
  results: [
    {
      index: 0,
      status: 202,
      body: { task_id: exampleTask.task_id, status: "queued", trust_score: 0.5, audit_ref: exampleTask.audit_ref },
    },
    {
      index: 1,
      status: 202,
      body: {
        task_id: "tsk_01jd8x0000000000000000000j",
        status: "awaiting_approval",
        trust_score: 0.5,
        audit_ref: "aud_01jd8x0000000000000000000k",
      },
    },
  ],
};

export const exampleFeedback: TaskFeedback = {
  feedback_id: "aud_01jd8x0000000000000000000m",
  task_id: exampleTask.task_id,
  accepted: false,
  rating: null,
  correction: { qualified: false },
  comment: "This company closed last year.",
  outcome: 0,
  counts_for_trust: true,
  counts_for_training: true,
  submitted_by: "mbr_01jd8x0000000000000000000e",
  submitted_at: "2026-11-20T10:30:00.000Z",
};

export const exampleComment: TaskComment = {
  comment_id: "cmt_01jd8x0000000000000000000p",
  task_id: exampleTask.task_id,
  text: "The customer called: they need it before Friday.",
  for_agent: true,
  author: { id: "mbr_01jd8x0000000000000000000e", name: "Ada" },
  read_at: null,
  audit_ref: "aud_01jd8x0000000000000000000q",
  created_at: "2026-11-20T09:31:00.000Z",
};

export const exampleChildren: TaskChildren = {
  task_id: exampleTask.task_id,
  caused_by: null,
  nodes: [
    {
      kind: "run",
      id: "wfr_01jd8x0000000000000000000r",
      parent_id: exampleTask.task_id,
      depth: 1,
      came_by: "event",
      status: "running",
      agent: null,
      task: null,
      title: null,
      workflow: "follow-up",
      step: null,
      trust_score: null,
      cost_usd: 0.004,
      tokens: 900,
      created_at: "2026-11-20T09:31:00.000Z",
      finished_at: null,
    },
    {
      kind: "task",
      id: "tsk_01jd8x0000000000000000000s",
      parent_id: "wfr_01jd8x0000000000000000000r",
      depth: 2,
      came_by: "step",
      status: "completed",
      agent: "sales",
      task: "summarize_lead",
      title: "Summarize lead ld_1001",
      workflow: "follow-up",
      step: "summarize",
      trust_score: 0.87,
      cost_usd: 0.004,
      tokens: 900,
      created_at: "2026-11-20T09:31:01.000Z",
      finished_at: "2026-11-20T09:31:04.000Z",
    },
  ],
  totals: { tasks: 1, runs: 1, open: 1, cost_usd: 0.004 },
  cut: null,
};

export const exampleCost: TaskCost = {
  task_id: exampleTask.task_id,
  cost_usd: 0.0124,
  tokens: 1830,
  by_step: [
    {
      step_id: exampleStep.step_id,
      attempt: 1,
      number: 1,
      kind: "model",
      name: "gpt-5-mini",
      cost_usd: 0.0124,
      tokens: 1830,
    },
  ],
  further_steps: null,
  outside_steps_usd: 0,
  by_model: [{ name: "gpt-5-mini", calls: 1, cost_usd: 0.0124, tokens: 1830 }],
  by_tool: [],
};

export const exampleTaskTrust: TaskTrust = {
  task_id: exampleTask.task_id,
  score: 0.8808,
  low: 0.81,
  high: 0.93,
  log_odds: 2,
  parts: [
    { name: "base", adds: 1.4, score_without: 0.6457 },
    { name: "probability", adds: 0.6, score_without: 0.8022 },
  ],
  case: { probability: 0.93, novelty: 0.1 },
  digest: "sha256:9f2c",
  scored: "at_end",
  skill_now: { score: 0.87, low: 0.8, high: 0.92 },
  judgements: [{ source: "feedback", outcome: 1, judged_at: "2026-11-20T11:02:00.000Z" }],
};

export const exampleTrace: TaskTrace = {
  task_id: exampleTask.task_id,
  trace_id: "0af7651916cd43dd8448eb211c80319c",
  exported: false,
  spans: [
    {
      span_id: "b7ad6b7169203331",
      parent_span_id: null,
      name: "dispatch sales",
      kind: "task",
      start: "2026-11-20T09:30:00.000Z",
      end: "2026-11-20T09:30:01.400Z",
      status: "ok",
      error: null,
      object: exampleTask.task_id,
      attributes: { "gen_ai.agent.name": "sales", "aos.skill": "qualify_lead" },
    },
    {
      span_id: "00f067aa0ba902b7",
      parent_span_id: "b7ad6b7169203331",
      name: "execute_tool get_lead",
      kind: "tool",
      start: "2026-11-20T09:30:01.000Z",
      end: "2026-11-20T09:30:01.200Z",
      status: "ok",
      error: null,
      object: exampleStep.step_id,
      attributes: { "gen_ai.tool.name": "get_lead", "aos.step": 1 },
    },
  ],
  truncated: false,
};

export const exampleBatchState: BatchState = {
  batch_id: exampleBatchResult.batch_id,
  tasks: 2,
  ended: 1,
  finished: false,
  by_status: { awaiting_approval: 1, completed: 1 },
  cost_usd: 0.0124,
  tokens: 1830,
  created_at: "2026-11-20T09:30:00.000Z",
  finished_at: null,
};

export const exampleCancelled: CancelledTasks = {
  batch_id: "bat_01jd8x0000000000000000000n",
  succeeded: 1,
  failed: 0,
  results: [{ index: 0, task_id: exampleTask.task_id, status: 202, body: { ...exampleTask, status: "cancelled" } }],
};

export const exampleCancelledByFilter = { ...exampleCancelled, matched: 1 };

export const exampleEstimated = { agent: "sales", task: "qualify_lead", input: { lead_id: "ld_1001" } };

export const exampleEstimate: TaskEstimate = {
  agent: "sales",
  task: "qualify_lead",
  version: 1,
  would: "wait_for_approval",
  problem: null,
  approval: { approvers: 1, requester_allowed: true, reasons: ["Its risk is medium."] },
  risk: { level: "medium", score: 4 },
  trust: { score: 0.87, low: 0.8, high: 0.92 },
  history: { tasks: 212, since: "2026-11-01T08:00:00.000Z", same_version: true },
  completes: { expected: 0.97, low: 0.95, high: 0.985 },
  cost_usd: { expected: 0.0124, low: 0.009, high: 0.018 },
  tokens: { expected: 1830, low: 1400, high: 2600 },
  run_seconds: { expected: 1.4, low: 0.9, high: 3.1 },
  queue_seconds: { expected: 0.1, low: 0, high: 0.6 },
  approval_seconds: { expected: 840, low: 120, high: 7200 },
  at_most: { cost_usd: 0.05, tokens: 8000, seconds: 60, steps: 8 },
};
