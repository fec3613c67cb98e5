import { Type } from "typebox";
import type { JobSpec } from "../../../kernel/append.ts";
import { changedMeanwhile } from "../../../kernel/changed-meanwhile.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import type { LiveSkill } from "../../agents/public.ts";
import { approvalState, lockApprovalBeforeTask } from "../../approvals/requests/public.ts";
import { approvalRounds } from "../approval-rounds.ts";
import { inputIsBound } from "../errors.ts";
import { taskApprovalRequired } from "../events.ts";
import { exampleTask } from "../example.ts";
import { shownTask } from "../held-by.ts";
import { checkTimes } from "../model.ts";
import { pinnedSkill } from "../pinned.ts";
import { runTask } from "../queue.ts";
import { proposedDispatch } from "../revise.ts";
import { Task, TaskChange, TaskId } from "../schemas.ts";
import { findTask, lockTask, type TaskRow, updateTask } from "../store.ts";
import { aboutTask, taskRead } from "../task-stages.ts";
import { rowRevision, taskRevision } from "../view.ts";

/** The task, and the skill of the version that it pins, by which a new input is judged; undefined where that can no longer be read. */
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
      input: body.input ?? (JSON.parse(loaded.row.input) as Record<string, unknown>),
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
      input === undefined ? changed : await approvalRounds().resubmit(ctx, changed, input, governed),
    );
  },
});

const waiting = ["queued", "awaiting_approval"] as const;

/** Times as they are stored, but for those that are not given. */
const dates = (times: Readonly<Record<string, string | null | undefined>>) =>
  Object.fromEntries(
    Object.entries(times).flatMap(([name, time]) => (time === undefined ? [] : [[name, time && new Date(time)]])),
  );

/** Of a task that was changed more than once, one such wake-up waits; the one that it was queued with finds that it came for something else. */
const wakeAnew = ({ scope }: WriteContext, { id, priority, not_before }: TaskRow): JobSpec => ({
  ...runTask(scope, id, priority, not_before),
  key: id,
});

function inputFaults(skill: LiveSkill | undefined, input: unknown): readonly Fault[] {
  if (typeof input !== "object" || input === null || Array.isArray(input) || !skill) return [];
  return skill.validate(input).map((fault) => ({ ...fault, pointer: `/input${fault.pointer ?? ""}` }));
}

/** The task under its lock; its approval before it, as everybody locks, where that is to be changed as well. */
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
