import type { WorkflowDeadLetter, WorkflowRun, WorkflowRunEvent, WorkflowRunStep } from "../schemas.ts";

export const exampleRun: WorkflowRun = {
  run_id: "wfr_01jd8x0000000000000000000a",
  workflow: "refund",
  version: 3,
  status: "waiting",
  asked: null,
  intervention: null,
  input: { order_id: "or_2001", message: "It arrived broken." },
  output: null,
  failure: null,
  held_by: null,
  trigger: "manual",
  trigger_id: null,
  business_key: "or_2001",
  concurrency_key: null,
  parent: null,
  mission: null,
  progress: { steps: 4, completed: 1, failed: 0, running: 0, waiting: 1 },
  cost_usd: 0.012,
  tokens: 1840,
  labels: [],
  started_by: "mbr_01jd8x0000000000000000000e",
  audit_ref: "aud_01jd8x0000000000000000000b",
  created_at: "2026-11-20T09:30:00.000Z",
  started_at: "2026-11-20T09:30:00.100Z",
  finished_at: null,
};

export const exampleRunStep: WorkflowRunStep = {
  step: "judge",
  kind: "agent",
  status: "completed",
  attempt: 1,
  action: { kind: "agent", agent: "support", skill: "judge_refund", input: { message: "It arrived broken." } },
  output: { amount: 42 },
  failure: null,
  held_by: null,
  task_id: "tsk_01jd8x0000000000000000000a",
  child_run: null,
  trust_score: 0.91,
  trust_low: 0.84,
  cost_usd: 0.012,
  undo: null,
  undo_task: null,
  started_at: "2026-11-20T09:30:00.100Z",
  finished_at: "2026-11-20T09:30:02.400Z",
  wake_at: null,
};

export const exampleLetter: WorkflowDeadLetter = {
  run_id: "wfr_01jd8x0000000000000000000a",
  workflow: "refund",
  version: 3,
  status: "failed",
  reason: "pay: the tool answered 503 three times",
  failure: { code: "tool_failed", detail: "pay: the tool answered 503 three times" },
  at: "2026-11-20T09:31:00.000Z",
  settled_at: null,
  settled_by: null,
};

export const exampleRunEvent: WorkflowRunEvent = {
  sequence: 200_000,
  type: "step",
  time: "2026-11-20T09:30:02.400Z",
  data: { step: "judge", kind: "agent", status: "completed", attempt: 1, task_id: "tsk_01jd8x0000000000000000000a" },
};
