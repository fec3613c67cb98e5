import type { TaskEvent } from "./ports.ts";
import type { Step, Task, TaskBatchResult, TaskFeedback, TaskResult } from "./schemas.ts";

/** A task for the description and the documentation. */
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
