import { Type } from "typebox";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { exampleTask } from "../example.ts";
import { agentSeen } from "../model.ts";
import { Task, TaskId } from "../schemas.ts";
import { findTask } from "../store.ts";
import { taskView } from "../view.ts";

export const readTask = defineRead({
  id: "tasks.readTask",
  method: "GET",
  path: "/v1/tasks/{task}",
  status: 200,
  listed: true,
  summary: "Read a task",
  description:
    "State, pinned version, trust with its parts and interval, risk with its inputs, cost, and the audit reference of the dispatch.",
  params: Type.Object({ task: TaskId }),
  query: Type.Object({}, { additionalProperties: false }),
  output: Task,
  example: { params: { task: exampleTask.task_id }, output: exampleTask },
  permission: "tasks:read",
  load: (ctx, { task }) => findTask(ctx, task),
  gate: exempt("reads, makes no agent act"),
  compliance: governs("task.read", (ctx, { loaded }: { loaded: { agent: string; skill: string } }) => ({
    agent: agentSeen(ctx, loaded.agent),
    skill: { name: loaded.skill },
  })),
  audit: ({ params, loaded }) => ({
    object: `task:${params.task}`,
    task: loaded?.id ?? null,
    ...(loaded ? { subject: loaded.subject } : {}),
  }),
  emits: [],
  errors: [],
  handle: (ctx, { loaded }) => taskView(loaded, ctx.appUrl),
});
