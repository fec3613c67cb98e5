import { Type } from "typebox";
import { changedMeanwhile } from "../../../../kernel/changed-meanwhile.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { closed } from "../../../../kernel/schema-words.ts";
import { lockApprovalBeforeTask } from "../../../approvals/requests/public.ts";
import { agentSeen } from "../../dispatch/rules.ts";
import { taskCancelled } from "../../events.ts";
import { exampleTask } from "../../example.ts";
import { Task, TaskId } from "../../schemas.ts";
import { cancelOpenTask } from "../approval-effects.ts";
import { shownTask } from "../held-by.ts";
import { findTask, lockTask, type TaskRow } from "../store.ts";
import { rowRevision, taskRevision } from "../view.ts";

export const cancelTask = defineOperation({
  id: "tasks.cancelTask",
  method: "POST",
  path: "/v1/tasks/{task}/cancel",
  status: 202,
  location: ({ task_id }) => `/v1/tasks/${task_id}`,
  listed: true,
  summary: "Cancel a task",
  description:
    "Stops a task that is not finished. One that waits ends at once; a running task loses its lease, and what its worker still does is discarded.",
  params: Type.Object({ task: TaskId }),
  body: Type.Object({ reason: Type.Optional(Type.String({ maxLength: 2000 })) }, closed),
  output: Task,
  example: {
    params: { task: exampleTask.task_id },
    body: { reason: "asked for by mistake" },
    output: { ...exampleTask, status: "cancelled" },
  },
  revision: taskRevision,
  revisionOfPart: true,
  mayMatch: (loaded: TaskRow) => rowRevision(loaded),
  permission: "tasks:write",
  load: (ctx, { task }) => findTask(ctx, task),
  gate: exempt("stops work, starts none"),
  decides: exempt("stops a task; a run gets a fixed text in place of the reason"),
  compliance: governs("task.cancel", (ctx, { loaded }: { loaded: TaskRow }) => ({
    agent: agentSeen(ctx, loaded.agent),
    skill: { name: loaded.skill },
  })),
  audit: ({ params, loaded }) => ({
    object: `task:${params.task}`,
    task: loaded?.id ?? null,
    ...(loaded ? { subject: loaded.subject } : {}),
  }),
  emits: [taskCancelled],
  errors: [conflict],
  async handle(ctx, { loaded, body }) {
    const approval = (await findTask(ctx, loaded.id))?.approval_id;
    if (approval) await lockApprovalBeforeTask(ctx, approval);
    if (ctx.basedOnLoaded) {
      const task = await lockTask(ctx, loaded.id);
      if (!task || rowRevision(task) !== rowRevision(loaded)) throw changedMeanwhile();
    }
    const row = await cancelOpenTask(ctx, loaded.id, body.reason);
    if (!row)
      throw refuse(
        conflict,
        `The task is ${(await findTask(ctx, loaded.id))?.status}; only one that is not finished can be cancelled.`,
      );
    return shownTask(ctx, row);
  },
});
