import {
  type Control,
  type Controlled,
  control,
  isRunOver,
  migrationOf,
  type Plan,
  type RunState,
} from "@aos/workflow";
import { first, select } from "../../../db/scoped.ts";
import {
  actorOfCall,
  asEarlier,
  type Decider,
  decidersOf,
  storedDeciders,
  storedPersons,
  unite,
} from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { permitAgents } from "../../../kernel/narrowing.ts";
import { conflict, invalidBody } from "../../../kernel/problems.ts";
import { lockApprovalBeforeTask } from "../../approvals/requests/public.ts";
import { cancelOpenTask, closeEffects, findTask, originsWith, wakeRun } from "../../tasks/public.ts";
import { migrationRefused, writesNotAcknowledged } from "../errors.ts";
import { cancelRun } from "../steps/children.ts";
import { findLiveVersion, findRunnable, inputFaults, type RunnableVersion } from "../versions/live.ts";
import {
  findWrites,
  lockWhole,
  noteIntervention,
  settleLetter,
  takeItems,
  writeControl,
  writeMigration,
} from "./control-store.ts";
import { originOfStep, type RunRow, runJson, type StepRow, stateOf } from "./rules.ts";
import type { ControlledWorkflowRun, WorkflowRunControl } from "./schemas.ts";
import type { LoadedRun } from "./stages.ts";
import { openAlready, startRun } from "./start.ts";
import { readRunView } from "./view.ts";

type Changes = ControlledWorkflowRun["changes"];
type Asked = Omit<WorkflowRunControl, "action"> & { readonly action: WorkflowRunControl["action"] | "compensate" };

interface Locked {
  readonly row: RunRow;
  readonly steps: readonly StepRow[];
  readonly plan: Plan;
  readonly state: RunState;
}

/** Carries out an intervention under the lock of the run's row; the engine goes on from there. */
export async function controlRun(
  ctx: WriteContext,
  { run, plan }: LoadedRun,
  asked: Asked,
): Promise<ControlledWorkflowRun> {
  const found = await lockWhole(ctx, run.id);
  if (!found) throw refuse(conflict, "The run is gone.");
  const locked = { ...found, plan, state: stateOf(found.row, found.steps) };
  if (asked.action === "replay") return answer(ctx, await replay(ctx, locked, asked.acknowledge), []);
  if (asked.action === "migrate") return migrate(ctx, locked, asked);
  if (asked.action === "settle") {
    if (await settleLetter(ctx, run.id))
      return answer(ctx, await noteIntervention(ctx, run.id, asked.action, asked.reason), []);
    throw refuse(conflict, `The run ${run.id} is no dead letter that is open.`);
  }
  return intervene(ctx, locked, controlOf(asked), asked);
}

function controlOf(asked: Asked): Control {
  if (asked.action === "cancel") return { action: "cancel", compensate: asked.compensate ?? false };
  if (asked.action === "retry_from")
    return { action: "retry_from", step: asked.step ?? null, ...(asked.input && { input: asked.input }) };
  if (asked.action === "skip")
    return { action: "skip", step: asked.step as string, ...(asked.output && { output: asked.output }) };
  return { action: asked.action as "pause" };
}

const answer = async (ctx: WriteContext, row: RunRow, changes: Changes): Promise<ControlledWorkflowRun> => ({
  ...(await readRunView(ctx, row)),
  changes,
});

async function intervene(
  ctx: WriteContext,
  locked: Locked,
  asked: Control,
  { action, acknowledge = [], preview = false, reason }: Asked,
): Promise<ControlledWorkflowRun> {
  const { row, plan, state } = locked;
  const next = control(plan, state, asked);
  if (!next.ok) throw refusalOf(row, next);
  if (isRunOver(state.status)) await checkReopening(ctx, locked, asked);
  const wrote = await writtenAgain(ctx, locked, next.again, "input" in asked);
  const changes = [
    ...next.again.map((step) => ({ step, change: "run_again" as const, ...(preview && { writes: wrote.has(step) }) })),
    ...next.skipped.map((step) => ({ step, change: "skipped" as const })),
  ];
  if (preview) return answer(ctx, row, changes);
  checkWrites(
    row,
    next.again.filter((step) => wrote.has(step) && !acknowledge.includes(step)),
  );
  await closeEffects(
    ctx,
    [...wrote].map((step) => originOfStep(row, step)),
    "done",
  );
  await checkUndone(ctx, row, next.again);
  for (const step of next.cancel) await cancelOutside(ctx, locked, step);
  await writeControl(ctx, plan, row, { before: state, after: next.state, ...decidersBy(ctx, row, asked) });
  const written = await noteIntervention(ctx, row.id, action, reason);
  if (isRunOver(state.status)) await settleLetter(ctx, row.id);
  ctx.enqueue(wakeRun(ctx.scope, row.id));
  return answer(ctx, written, changes);
}

/**
 * Of the steps that are done again, those that have written and would write again. Where nothing that completed is done again, and nothing has another input, each goes on
 * with what it has written: the same calls get the same results.
 */
async function writtenAgain(
  ctx: WriteContext,
  { row, state }: Locked,
  steps: readonly string[],
  isEdited: boolean,
): Promise<ReadonlySet<string>> {
  const isAnew = isEdited || steps.some((step) => state.steps.get(step)?.status === "completed");
  if (!isAnew) return new Set();
  const origins = new Map(steps.map((step) => [originOfStep(row, step), step]));
  const known = await originsWith(ctx, [...origins.keys()], "done");
  const found = known.flatMap((origin) => origins.get(origin) ?? []);
  return new Set([...found, ...(await findWrites(ctx, row.id, steps))]); // steps of releases that kept no effects
}

/** Another attempt of a step would be compensated by the undoing that is in doubt. */
async function checkUndone(ctx: WriteContext, row: RunRow, steps: readonly string[]): Promise<void> {
  const origins = steps.map((step) => originOfStep(row, step, { undo: true }));
  const [open] = await originsWith(ctx, origins, "unknown");
  if (open === undefined) return;
  const step = steps[origins.indexOf(open)];
  throw refuse(
    conflict,
    `Nobody knows whether ${step} of ${row.id} was undone. Undo the run again first (POST …/compensate): it is sent again, or asked about.`,
  );
}

/** Whoever intervenes decides what they give: input for a step, or the result of a skipped one. */
function decidersBy(ctx: WriteContext, { id }: RunRow, asked: Control) {
  const object = `run:${id}`;
  return {
    input: asked.action === "retry_from" && asked.input ? decidersOf(ctx, "input", object) : [],
    skipped: asked.action === "skip" ? decidersOf(ctx, "skipped", object) : [],
  };
}

function refusalOf(row: RunRow, { of, detail }: Extract<Controlled, { ok: false }>): Error {
  if (of === "state") return refuse(conflict, `${row.id}: ${detail}`);
  const fault: Fault = { pointer: `/${of}`, code: of === "step" ? "unfit_step" : "not_editable", detail };
  return refuse(invalidBody, `/${of}: ${detail}`, { errors: [fault] });
}

/** A finished run can be reopened, unless another has taken its place, or its parent has gone on without it. */
async function checkReopening(ctx: WriteContext, { row, plan, state }: Locked, { action }: Control): Promise<void> {
  if (action === "compensate") return;
  if (row.parent_run !== null)
    throw refuse(
      conflict,
      `${row.id} belongs to the run ${row.parent_run}, which has gone on with its end; do that run again from ${row.parent_step}.`,
    );
  if (ctx.now >= state.startedAt + plan.limits.durationMs)
    throw refuse(
      conflict,
      `${row.id} has used up its time (limits.duration, ${plan.limits.durationMs / 1000} seconds); start a new run with the action \`replay\`.`,
    );
  if (row.business_key === null) return;
  const open = select(ctx, "workflow_runs", "r").select("r.id").where("r.workflow", "=", row.workflow);
  const other = await first(
    ctx,
    open.where("r.business_key", "=", row.business_key).where("r.finished_at", "is", null),
  );
  if (other) throw await openAlready(ctx, row.workflow, row.business_key);
}

function checkWrites(row: RunRow, steps: readonly string[]): void {
  if (steps.length === 0) return;
  throw refuse(
    writesNotAcknowledged,
    `${steps.join(", ")} of ${row.id} ${steps.length === 1 ? "has" : "have"} written, and would write again.`,
    { members: { steps } },
  );
}

/** Nobody would be asked about the doubt again, and another run might repeat the write. */
async function checkDoubts(ctx: WriteContext, row: RunRow, steps: readonly string[]): Promise<void> {
  const open = await originsWith(
    ctx,
    steps.map((step) => originOfStep(row, step)),
    "unknown",
  );
  const doubted = steps.filter((step) => open.includes(originOfStep(row, step)));
  if (doubted.length === 0) return;
  throw refuse(
    writesNotAcknowledged,
    `${doubted.join(", ")} of ${row.id} may have taken effect, and a new run would not know. Find out with \`retry_from\` what became of it, or acknowledge that it may be done twice.`,
    { members: { steps: doubted } },
  );
}

/** Cancels the task or run of a step, or those of its open items. */
async function cancelOutside(ctx: WriteContext, { row, steps }: Locked, id: string): Promise<void> {
  const step = steps.find((one) => one.step === id);
  if (!step) return;
  const items = step.items === null ? [] : await takeItems(ctx, { run: row.id, step: id, attempt: step.attempt });
  for (const { task_id: task, child_run: child } of [step, ...items]) {
    const approval = task && (await findTask(ctx, task))?.approval_id;
    if (approval) await lockApprovalBeforeTask(ctx, approval);
    if (task) await cancelOpenTask(ctx, task, "Somebody skipped its step.");
    if (child) await cancelRun(ctx, child, false);
  }
}

/** A new run with the same input on the live version. It has effects of its own. */
async function replay(ctx: WriteContext, { row, plan }: Locked, acknowledge: readonly string[] = []): Promise<RunRow> {
  await checkDoubts(
    ctx,
    row,
    plan.steps.map(({ id }) => id).filter((step) => !acknowledge.includes(step)),
  );
  const version = await versionFor(ctx, row, undefined);
  const input = runJson(row, "input");
  const [fault] = inputFaults(version.plan, input);
  if (fault)
    throw refuse(
      conflict,
      `The input of ${row.id} does not fit version ${version.number}: ${fault.pointer} ${fault.detail}.`,
    );
  await settleLetter(ctx, row.id);
  return startRun(ctx, actorOfCall(ctx), {
    version,
    input,
    trigger: "retry",
    triggerId: row.id,
    labels: row.labels,
    ...(row.event !== null && { event: runJson(row, "event") }),
    eventDeciders: storedDeciders(row.event_deciders),
    inputDeciders: decidersOfInput(row),
    key: row.business_key,
  });
}

/** Who decided the input of a run, including those who started it, as deciders of another run's input. */
const decidersOfInput = ({ id, actor, input_deciders }: RunRow): readonly Decider[] =>
  unite(asEarlier(storedPersons(actor), "input", `run:${id}`), storedDeciders(input_deciders));

async function versionFor(ctx: WriteContext, row: RunRow, number: number | undefined): Promise<RunnableVersion> {
  const version =
    number === undefined
      ? (await findLiveVersion(ctx, row.workflow))?.live
      : await findRunnable(ctx, row.workflow, number);
  if (version) {
    // The path holds a narrowed key to the agents of the run's version, not of this one.
    permitAgents(ctx.principal, version.agents);
    return version;
  }
  if (number === undefined)
    throw refuse(conflict, `${row.workflow} has no version that is live in ${ctx.scope.environment}.`);
  const detail = `${row.workflow} has no version ${number}`;
  throw refuse(invalidBody, `/version: ${detail}`, {
    errors: [{ pointer: "/version", code: "unknown_version", detail }],
  });
}

const movable: ReadonlySet<string> = new Set(["queued", "waiting", "paused"]);

async function migrate(
  ctx: WriteContext,
  { row, plan, state, steps }: Locked,
  { action, version: number, preview = false, reason }: Asked,
): Promise<ControlledWorkflowRun> {
  if (!movable.has(row.status))
    throw refuse(
      conflict,
      `The run is ${row.status}; only one that is queued, waiting or paused moves. Pause it first.`,
    );
  const version = await versionFor(ctx, row, number);
  if (version.id === row.version_id) throw refuse(conflict, `The run has version ${version.number} already.`);
  const { obstacles, added, removed, changed } = migrationOf(plan, version.plan, state);
  const faults = inputFaults(version.plan, state.input).map(({ pointer, detail }) => ({
    step: null,
    detail: `The run's input does not fit: ${pointer} ${detail}.`,
  }));
  const all = [...faults, ...obstacles];
  if (all.length > 0)
    throw refuse(migrationRefused, `${row.id} cannot move to version ${version.number}: ${all[0]?.detail}`, {
      members: { obstacles: all },
    });
  const changes = [
    ...added.map((step) => ({ step, change: "added" as const })),
    ...removed.map((step) => ({ step, change: "removed" as const })),
    ...changed.map((step) => ({ step, change: "changed" as const })),
  ];
  if (preview) return answer(ctx, row, changes);
  await writeMigration(ctx, row, version, steps);
  const written = await noteIntervention(ctx, row.id, action, reason);
  ctx.enqueue(wakeRun(ctx.scope, row.id));
  return answer(ctx, written, changes);
}
