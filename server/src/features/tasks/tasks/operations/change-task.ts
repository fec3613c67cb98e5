import { Type } from "typebox";
import type { JobSpec } from "../../../../kernel/append.ts";
import { changedMeanwhile } from "../../../../kernel/changed-meanwhile.ts";
import type { ReadContext, WriteContext } from "../../../../kernel/context.ts";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import type { LiveSkill } from "../../../agents/public.ts";
import { approvalState, lockApprovalBeforeTask } from "../../../approvals/requests/public.ts";
import { pinnedSkill } from "../../dispatch/deciders.ts";
import { approvalRounds, proposedDispatch } from "../../dispatch/revise.ts";
import { checkTimes } from "../../dispatch/rules.ts";
import { inputIsBound } from "../../errors.ts";
import { taskApprovalRequired } from "../../events.ts";
import { exampleTask } from "../../example.ts";
import { Task, TaskChange, TaskId } from "../../schemas.ts";
import { shownTask } from "../held-by.ts";
import { runTask } from "../queue.ts";
import { taskJson } from "../row.ts";
import { aboutTask, taskRead } from "../stages.ts";
import { findTask, lockTask, type TaskRow, updateTask } from "../store.ts";
import { rowRevision, taskRevision } from "../view.ts";

/** The task and its skill by the pinned version, which judges a new input; undefined if that can no longer be read. */
interface Loaded {
  readonly agent: string;
  readonly row: TaskRow;
  readonly skill: LiveSkill | undefined;
}

async function load(ctx: ReadContext, id: string): Promise<Loaded | undefined> {
  const row = await findTask(ctx, id);
  return row && { agent: row.agent, row, skill: await pinnedSkill(ctx, row) };
}

export const changeTask = defineOperation({
  id: "tasks.changeTask",
  method: "PATCH",
  path: "/v1/tasks/{task}",
  listed: true,
  summary: "Change a task that waits",
  description:
    "Changes when a task runs and what it is labelled, as long as it is queued or waits for people; of two changes the later one counts. Its input can be " +
    "changed only where people asked for changes: it then goes before them again.",
  params: Type.Object({ task: TaskId }),
  body: TaskChange,
  output: Task,
  example: {
    params: { task: exampleTask.task_id },
    body: { priority: 5, labels: ["urgent"] },
    output: { ...exampleTask, priority: 5, labels: ["urgent"] },
  },
  revision: taskRevision,
  revisionOfPart: true,
  mayMatch: ({ row }: Loaded) => rowRevision(row),
  permission: "tasks:write",
  load: (ctx, { task }) => load(ctx, task),
  validate: (_ctx, { loaded, body }) => inputFaults(loaded.skill, body.input),
  gate: exempt("changes what waits, starts nothing"),
  decides: "edit",
  compliance: governs(
    "task.change",
    (ctx, { loaded, body }: { loaded: Loaded; body: TaskChange }) => ({
      ...taskRead(ctx, loaded.row),
      version: { number: loaded.row.version_number, id: loaded.row.version_id },
      input: body.input ?? taskJson(loaded.row, "input"),
    }),
    {
      proposes: (ctx, { loaded: { row, skill }, body: { input } }) =>
        input === undefined || !skill ? null : proposedDispatch(ctx, row, skill, input),
    },
  ),
  audit: ({ params, loaded }) => aboutTask({ params, loaded: loaded?.row }),
  emits: [taskApprovalRequired],
  errors: [conflict, inputIsBound],
  async handle(ctx, { loaded, body: { input, ...change }, governed }) {
    const task = await lockWaiting(ctx, loaded.row, input !== undefined);
    if (ctx.basedOnLoaded && rowRevision(task) !== rowRevision(loaded.row)) throw changedMeanwhile();
    checkTimes(ctx.now, task, change);
    const { deadline, not_before, ...rest } = change;
    const changes = { ...rest, ...dates({ deadline, not_before }) };
    const changed = (await updateTask(ctx, { id: task.id, from: waiting }, changes)) as TaskRow; // under the row's lock
    if (changed.status === "queued" && (change.priority ?? change.not_before) !== undefined)
      ctx.enqueue(wakeAnew(ctx, changed));
    return shownTask(
      ctx,
      input === undefined ? changed : await ctx.port(approvalRounds).resubmit(ctx, changed, input, governed),
    );
  },
});

const waiting = ["queued", "awaiting_approval"] as const;

/** Times as stored, without those that are not given. */
const dates = (times: Readonly<Record<string, string | null | undefined>>) =>
  Object.fromEntries(
    Object.entries(times).flatMap(([name, time]) => (time === undefined ? [] : [[name, time && new Date(time)]])),
  );

/** Of a task that was changed more than once, one such wake-up is pending; the one that it was queued with finds nothing to do. */
const wakeAnew = ({ scope }: WriteContext, { id, priority, not_before }: TaskRow): JobSpec => ({
  ...runTask(scope, id, priority, not_before),
  key: id,
});

function inputFaults(skill: LiveSkill | undefined, input: unknown): readonly Fault[] {
  if (typeof input !== "object" || input === null || Array.isArray(input) || !skill) return [];
  return skill.validate(input).map((fault) => ({ ...fault, pointer: `/input${fault.pointer ?? ""}` }));
}

/** Locks the task; its approval first, as everybody locks, if that changes as well. */
async function lockWaiting(ctx: WriteContext, { id, approval_id }: TaskRow, withInput: boolean): Promise<TaskRow> {
  if (withInput && approval_id !== null) await lockApprovalBeforeTask(ctx, approval_id);
  const task = await lockTask(ctx, id);
  if (task?.status !== "queued" && task?.status !== "awaiting_approval")
    throw refuse(conflict, `The task is ${task?.status}; only one that is queued or awaits approval can be changed.`);
  if (!withInput) return task;
  const state =
    approval_id === null || task.approval_id !== approval_id ? "another by now" : await approvalState(ctx, approval_id);
  if (state === "changes_requested" && task.status === "awaiting_approval") return task;
  const why = task.approval_id === null ? "nobody was asked about it" : `its approval is ${state}`;
  throw refuse(
    inputIsBound,
    `The input of the task cannot be changed: ${why}. That is possible while people ask for changes.`,
  );
}
