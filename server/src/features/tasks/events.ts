import { Type } from "typebox";
import { defineEvent, everyone } from "../../kernel/events.ts";
import { closed } from "../../kernel/schema-words.ts";
import { AuditRef, RiskLevel, TaskId, TaskStatus, TrustScore } from "./schemas.ts";

const agent = Type.String({ description: "Name of the agent handling the task." });
const skill = Type.String({ description: "The operation the agent performs." });
const common = {
  task_id: TaskId,
  agent,
  task: skill,
  status: TaskStatus,
  trust_score: TrustScore,
  audit_ref: AuditRef,
};

const taskEvent = <N extends string>(name: N, summary: string) =>
  defineEvent({
    type: name,
    summary,
    readers: everyone,
    schema: Type.Object({ event: Type.Literal(name), ...common }),
  });

export const taskCreated = taskEvent("task.created", "A task was accepted.");
export const taskStarted = taskEvent("task.started", "A worker started a task.");
export const taskCompleted = taskEvent("task.completed", "A task completed; its result can be read.");
export const taskFailed = taskEvent("task.failed", "A task failed.");
export const taskCancelled = taskEvent("task.cancelled", "A task was cancelled.");
export const taskExpired = taskEvent("task.expired", "A task passed its deadline before it ran.");
export const taskBlocked = taskEvent("task.blocked", "A policy blocked a running task.");
export const taskApproved = taskEvent("task.approved", "A task was approved and continues.");
export const taskRejected = taskEvent("task.rejected", "A task was rejected and ends.");

const pausing = <N extends string>(name: N, summary: string) =>
  defineEvent({
    type: name,
    summary,
    readers: everyone,
    schema: Type.Object({
      event: Type.Literal(name),
      ...common,
      by: Type.String({ description: "Who did, by id." }),
    }),
  });

export const taskPausedByPeople = pausing("task.paused", "Somebody paused a task.");
export const taskResumed = pausing("task.resumed", "Somebody resumed a task.");

export const taskCommented = defineEvent({
  type: "task.commented",
  summary: "Somebody commented on a task.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("task.commented"),
    ...common,
    comment_id: Type.String({ description: "The comment; its text is read with `GET /v1/tasks/{task}/comments`." }),
    author: Type.String({ description: "Who wrote it, by id." }),
    for_agent: Type.Boolean({ description: "Whether the agent reads it." }),
  }),
});

export const taskInputRequired = defineEvent({
  type: "task.input_required",
  summary: "A task waits for input.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("task.input_required"),
    ...common,
    question: Type.String({ description: "The question. Submit the answer with `POST /v1/tasks/{task}/input`." }),
  }),
});

/** Exactly the six members of the interface specification. */
export const taskApprovalRequired = defineEvent({
  type: "task.approval_required",
  summary: "A task waits for approval.",
  readers: everyone,
  schema: Type.Object(
    {
      event: Type.Literal("task.approval_required"),
      task_id: TaskId,
      agent,
      risk: RiskLevel,
      summary: Type.String({ description: "Why approval is needed." }),
      approve_url: Type.String({ description: "Page where people review the request and decide." }),
    },
    closed,
  ),
});
