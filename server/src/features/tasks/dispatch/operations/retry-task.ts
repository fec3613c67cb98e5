import { Type } from "typebox";
import { changedMeanwhile } from "../../../../kernel/changed-meanwhile.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict, invalidBody } from "../../../../kernel/problems.ts";
import { approvalState, cancelOpenApproval, lockApprovalBeforeTask } from "../../../approvals/requests/public.ts";
import { exampleTask } from "../../example.ts";
import { Task, TaskId, TaskRetry } from "../../schemas.ts";
import { shownTask } from "../../tasks/held-by.ts";
import { listStepsOfRun, missionOf, queueRetry, type RunStep } from "../../tasks/question.ts";
import { runTask } from "../../tasks/queue.ts";
import { taskJson } from "../../tasks/row.ts";
import { aboutTask, taskRead } from "../../tasks/stages.ts";
import { findTask, lockTask, type TaskRow } from "../../tasks/store.ts";
import { rowRevision, taskRevision } from "../../tasks/view.ts";
import { pinnedSkill } from "../deciders.ts";
import { checkTimes, isRepeatable, toolsAsMarked } from "../rules.ts";

export const retryTask = defineOperation({
  id: "tasks.retryTask",
  method: "POST",
  path: "/v1/tasks/{task}/retry",
  status: 202,
  location: ({ task_id }) => `/v1/tasks/${task_id}`,
  listed: true,
  summary: "Try a task again",
  description:
    "Queues a task that failed, was blocked or was cancelled for another attempt, by default from the step that failed: steps before it are not made " +
    "again. Its limits start again. Gate, policies and approvals are asked again when it starts; a call that writes and whose outcome is not known is asked about " +
    "first, or sent again with the key that its receiver knows, whatever failed before it. A write that finished is not made again: the same call gets its result. " +
    "One with other arguments in its place needs an approval of its own where people had approved the task. From the start, or from a step before a call whose outcome is not known, it is refused until that is known.",
  params: Type.Object({ task: TaskId }),
  body: TaskRetry,
  output: Task,
  example: {
    params: { task: exampleTask.task_id },
    body: { from: "failed_step" },
    output: { ...exampleTask, status: "queued" },
  },
  revision: taskRevision,
  revisionOfPart: true,
  mayMatch: (loaded: TaskRow) => rowRevision(loaded),
  permission: "tasks:write",
  load: (ctx, { task }) => findTask(ctx, task),
  validate: (_ctx, { body }) => retryFaults(body),
  gate: exempt("the gate is asked when a worker starts the task"),
  decides: exempt("does the same task again, with the same input"),
  compliance: governs("task.retry", (ctx, { loaded }: { loaded: TaskRow }) => ({
    ...taskRead(ctx, loaded),
    version: { number: loaded.version_number, id: loaded.version_id },
    input: taskJson(loaded, "input"),
  })),
  audit: aboutTask,
  errors: [conflict],
  async handle(ctx, { loaded, body }) {
    const asked = (await findTask(ctx, loaded.id))?.approval_id ?? null;
    if (asked !== null) await lockApprovalBeforeTask(ctx, asked);
    const task = await lockTask(ctx, loaded.id);
    if (!task || !again.has(task.status) || task.approval_id !== asked) {
      throw refuse(
        conflict,
        `The task is ${task?.status ?? "gone"}; only one that failed, was blocked or was cancelled can be tried again.`,
      );
    }
    if (ctx.basedOnLoaded && rowRevision(task) !== rowRevision(loaded)) throw changedMeanwhile();
    const mission = await missionOf(ctx, task);
    if (mission !== null) throw refuse(conflict, ofMission(mission));
    if (task.run_id !== null) throw refuse(conflict, ofRun(task.run_id, task.run_step));
    checkTimes(ctx.now, task, body);
    const deadline = keptDeadline(ctx.now, task, body);
    const made = task.started_at === null ? [] : await listStepsOfRun(ctx, task.id);
    const step = firstStep(body, task, made, await writeInDoubt(ctx, task, made));
    const row = await queueRetry(ctx, task, { step, deadline, approvalId: await keptApproval(ctx, task) });
    ctx.enqueue({ ...runTask(ctx.scope, row.id, row.priority, row.not_before), key: row.id });
    return shownTask(ctx, row);
  },
});

const again: ReadonlySet<string> = new Set(["failed", "blocked", "cancelled"]);

/** Its limits would start again, beyond what the mission's budget reserves for it. */
const ofMission = (mission: string): string =>
  `The task works for the mission ${mission}, whose budget holds nothing for another attempt. Add a task to the mission, or let it do the step again.`;

/** The run has taken the task's end, and may have gone on or been cancelled since: the attempt would have no run and no limits. */
const ofRun = (run: string, step: string | null): string =>
  `The task is the step ${step} of the run ${run}, which has gone on with its end. Have the run do the step again: control it with \`retry_from\`.`;

function retryFaults({ from, step }: TaskRetry): Fault[] {
  if (from === "step" && step === undefined) {
    return [
      { pointer: "/step", code: "required", detail: "is required to try again from a chosen step; give its number" },
    ];
  }
  if (from !== "step" && step !== undefined) {
    return [
      { pointer: "/step", code: "not_allowed", detail: "says nothing without `from: step`; leave one of the two out" },
    ];
  }
  return [];
}

/** The deadline of the next attempt: the caller's, else the present one, unless that has passed. */
function keptDeadline(now: number, task: TaskRow, { deadline }: TaskRetry): string | null {
  if (deadline !== undefined) return deadline;
  if (task.deadline === null || task.deadline.getTime() > now) return task.deadline?.toISOString() ?? null;
  const detail = `the task's deadline, ${task.deadline.toISOString()}, has passed; give another one, or null for none`;
  throw refuse(invalidBody, `/deadline: ${detail}`, { errors: [{ pointer: "/deadline", code: "past", detail }] });
}

/** Failures that make the model's last turn useless, though it is finished. */
const uselessAnswer: ReadonlySet<string> = new Set([
  "output_invalid",
  "answer_cut_off",
  "answer_withheld",
  "model_failed",
]);

/** A write with an unknown outcome. `repeatable`: its receiver recognizes the key of its run and step. */
interface InDoubt extends RunStep {
  readonly repeatable: boolean;
}

async function writeInDoubt(ctx: WriteContext, task: TaskRow, made: readonly RunStep[]): Promise<InDoubt | undefined> {
  const open = made.filter(({ kind, state }) => kind === "tool" && (state === "unknown" || state === "started"));
  if (open.length === 0) return undefined;
  const { tools = [] } = (await pinnedSkill(ctx, task)) ?? {};
  const marked = toolsAsMarked(ctx, tools);
  const toolOf = ({ name }: RunStep) => marked.find((tool) => tool.name === name);
  // A tool that the version no longer has may have written; a question to people is no tool.
  const step = open.find((one) => (toolOf(one)?.effect ?? (one.name === "ask" ? "read" : "write")) === "write");
  const tool = step && toolOf(step);
  // A call that people edited would be repeated as the model asked for it, with another key.
  return step && { ...step, repeatable: step.edit_approval_id === null && tool !== undefined && isRepeatable(tool) };
}

/** A write that is not in the journal would never be asked about again. */
function refuseForgetting({ number, name, repeatable }: InDoubt, from: string): never {
  const first = repeatable
    ? "it is sent again with the key that its receiver knows"
    : "it is asked then whether it took effect";
  const detail = `Step ${number}, ${name}, may have taken effect, which would be forgotten from ${from} on. Try again without \`from\` first: ${first}.`;
  throw refuse(conflict, detail);
}

/**
 * From which step on the run is made again; null: all of it. Without a step that failed it is the model's last turn, or what would have come next. A write
 * in doubt (`doubt`) stays in the journal, whatever failed before it.
 */
function firstStep(
  { from, step }: TaskRetry,
  { failure }: TaskRow,
  made: readonly RunStep[],
  doubt: InDoubt | undefined,
): number | null {
  if (from === "start" && doubt) refuseForgetting(doubt, "the start"); // another run, and so another key
  if (from === "start" || (from !== "step" && made.length === 0)) return null;
  const last = Math.max(0, ...made.map(({ number }) => number));
  if (from === "step") {
    const chosen = step as number;
    if (doubt?.number === chosen && doubt.repeatable) return chosen + 1; // stays in the journal, and is sent again with its key
    if (doubt && chosen <= doubt.number) refuseForgetting(doubt, `step ${chosen}`);
    if (chosen <= last) return chosen;
    const detail = `is no step of this run; ${last === 0 ? "it has none" : `its last one is ${last}`}`;
    throw refuse(invalidBody, `/step: ${detail}`, { errors: [{ pointer: "/step", code: "unknown_step", detail }] });
  }
  if (doubt) return doubt.number + 1;
  const open = made.find(
    ({ state }, at) => state !== "finished" && made.slice(at + 1).every((later) => later.state !== "finished"),
  );
  // A write in doubt stays in the journal, and people are asked about it.
  if (open) return open.state === "failed" ? open.number : open.number + 1;
  const code = taskJson({ failure }, "failure")?.code ?? "";
  const turn = made.findLast(({ kind }) => kind === "model");
  return uselessAnswer.has(code) && turn ? turn.number : last + 1;
}

/**
 * The approval of the task as a whole. Where people gave it, it stands; else the start asks for it again, by what was demanded then and is demanded by now.
 * One of a call is asked for again by that call.
 */
async function keptApproval(ctx: WriteContext, task: TaskRow): Promise<string | null> {
  const { approval_id: latest, run_approval_id: ofRun, call_approval: ofCall } = task;
  if (latest !== null && (ofCall || (await approvalState(ctx, latest)) === "pending")) {
    await cancelOpenApproval(ctx, latest, "The task was tried again.");
  }
  return ofCall ? ofRun : latest;
}
