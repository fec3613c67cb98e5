import { isDeepStrictEqual } from "node:util";
import { nothingUsed } from "../../../../kernel/budget.ts";
import type { CallContext, WriteContext } from "../../../../kernel/context.ts";
import type { Effect } from "../../../../kernel/effect.ts";
import { defineInside, exempt, governs, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import type { Risk } from "../../../../kernel/risk.ts";
import { type Governed, type RedactDemand, stricter } from "../../../../kernel/verdict.ts";
import type { RunnableTool } from "../../../agents/schemas.ts";
import { noteQuestion } from "../../../knowledge/public.ts";
import { callDemand } from "../../dispatch/draft-verdicts.ts";
import { isRepeatable, riskOfCall } from "../../dispatch/rules.ts";
import { taskApprovalRequired } from "../../events.ts";
import {
  actionKey,
  beginEffect,
  decideEffect,
  demandOfAnother,
  type EffectDecision,
  editsOf,
  effectsOf,
  originOf,
  type StoredEffect,
  targetOf,
} from "../../steps/effect-store.ts";
import { stepJson, stepNotIntact, stepSeal } from "../../steps/seal.ts";
import { insertStep, type NewStep } from "../../steps/store.ts";
import { digestOf } from "../../tasks/result.ts";
import { askForCall, editedBefore, saidBefore } from "../call-approval.ts";
import { type Found, findData } from "../find-data.ts";
import { appendStep, holdLease } from "../guards.ts";
import { type HeldRun, workOf, writeLateEnd } from "../holds.ts";
import { findHeldLeases } from "../lease-store.ts";
import { type LoadedTask, runFacts } from "../rules.ts";
import { leaseLostOf, refusePaused } from "../store.ts";

export interface CallTool {
  readonly task: string;
  readonly owner: string;
  /** The step's position in the run. */
  readonly number: number;
  readonly tool: string;
  /** The real ones; `shown`: with placeholders, as the loop and the journal see them. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly shown: Readonly<Record<string, unknown>>;
  /** Its step was begun before, and its outcome is unknown. */
  readonly again: boolean;
  /** Personal data of the run's input is redacted. */
  readonly hides?: boolean;
  /** Something that the model has read could steer it. */
  readonly tainted: boolean;
  /** The run, if the calling process started it. */
  readonly held?: HeldRun;
}

/** `edited`: the arguments that approvers put in place of the requested ones; null: unchanged. */
interface AsEdited {
  readonly edited: CallTool["arguments"] | null;
}

/**
 * `done`: the step stands in the journal as it ended. `found`: it stands there as begun, and what was found is to be redacted first. `begun`: whoever
 * asked makes the call. `in_doubt`: nothing is made beside a write of which nobody knows what became of it.
 */
export type ToolCalled =
  | (AsEdited & {
      readonly kind: "done";
      readonly id: string;
      readonly found: Found;
      readonly verdict: string;
      readonly costUsd: number;
    })
  | (AsEdited & {
      readonly kind: "found";
      readonly id: string;
      readonly found: Found;
      readonly verdict: string;
      readonly costUsd: number;
      readonly redact: RedactDemand;
    })
  | (AsEdited & {
      readonly kind: "begun";
      readonly id: string;
      readonly connection: string | null;
      readonly costUsd: number;
      readonly redact: RedactDemand | null;
      /** Null: a read. */
      readonly effect: Effect | null;
    })
  /** Allowed, and begun: it is handed out to the caller with the other calls of its turn. */
  | (AsEdited & { readonly kind: "for_caller"; readonly id: string; readonly redact: RedactDemand | null })
  | { readonly kind: "waits"; readonly approval: string }
  | { readonly kind: "in_doubt"; readonly tool: string }
  | { readonly kind: "sent_back"; readonly note: string };

/** `arguments`: as edited by approvers (`editedAs`: under this approval), else as the agent wants them. */
type Loaded = LoadedTask & {
  readonly tool: RunnableTool;
  readonly arguments: CallTool["arguments"];
  readonly editedAs: string | null;
};
type Given = { params: CallTool; query: undefined; body: undefined; loaded: Loaded };

/** A running task calls one of its skill's tools. Other tools do not exist for it. */
export const callTool: InsideOperation<CallTool, ToolCalled> = defineInside({
  id: "tasks.callTool",
  summary: "Call a tool",
  permission: exempt("a worker of the service itself; the tool is one that the task's skill names"),
  async load(ctx, { task, tool: name, arguments: given, again, held }: CallTool): Promise<Loaded | undefined> {
    const work = await workOf(ctx, task, held);
    const tool = work?.tools.find((one) => one.name === name);
    if (!work || !tool) return undefined;
    const edited = await editedBefore(ctx, { work, tool, arguments: given, again });
    return { ...work, tool, arguments: edited?.arguments ?? given, editedAs: edited?.approvalId ?? null };
  },
  gate: exempt("passed when the task was started"),
  compliance: governs("tool.call", callFacts, {
    waits: true,
    // The record keeps no more of the arguments than the journal: no redacted values, and no edits of approvers.
    keepsInput: ({ params, loaded }) =>
      isDeepStrictEqual(loaded.arguments, params.shown) || !(params.hides || hasHidden(params)),
    // A run is charged to who dispatched it, whichever worker runs it.
    spends: (_ctx, { loaded: { row, tool } }) => ({
      agent: row.agent,
      keyId: row.key_id,
      principal: row.principal,
      demand: { steps: 1, usd: tool.cost_usd ?? 0, price: `version ${row.version_id}` },
    }),
  }),
  audit: ({ params, loaded, output }) => ({
    object: `tool:${params.tool}`,
    task: loaded?.row.id ?? params.task,
    ...callDigests(params, output),
    ...(output?.kind === "waits" ? { approval: output.approval } : {}),
    ...(loaded ? { subject: loaded.row.subject } : {}),
  }),
  emits: [taskApprovalRequired],
  errors: [conflict],
  // Record look-ups of one moment that need no approval or redaction share a statement, searches do not.
  async together(ctx, { params, loaded, facts, governed }): Promise<ToolCalled | undefined> {
    const { row, tool, definition } = loaded;
    const { held, tainted, owner, number, shown: input } = params;
    if (
      !held ||
      held.resumed ||
      tool.kind !== "record" ||
      (tool.cost_usd ?? 0) > 0 ||
      governed.redact ||
      row.call_approval
    )
      return undefined;
    if (callDemand(ctx, { tool, risk: facts.assessed, governed, tainted })) return undefined;
    const found = await findData(ctx, row.agent, tool, definition, params);
    const step = {
      id: ctx.newId("stp"),
      number,
      kind: "tool",
      name: tool.name,
      input,
      verdict: verdictOf(governed),
    } as const;
    holdLease(ctx, row, owner, held.late);
    appendStep(ctx, row, { ...step, ...endOf(found) });
    return { kind: "done", id: step.id, found, verdict: step.verdict, costUsd: 0, edited: null };
  },
  async handle(ctx, { params, loaded, facts, governed }): Promise<ToolCalled> {
    const { row, tool, arguments: given } = loaded;
    const { owner, again, shown } = params;
    const call = { work: loaded, tool, arguments: given, shown, owner, again };
    const judged = { verdict: verdictOf(governed), redact: governed.redact };
    const { effects, decided } = await decide(ctx, params, loaded);
    if (decided.kind === "reuse") return reuse(ctx, params, decided.effect, judged);
    if (decided.kind === "doubt") {
      ctx.spent(nothingUsed);
      return { kind: "in_doubt", tool: decided.effect.tool };
    }
    const demand = stricter(
      callDemand(ctx, { tool, risk: facts.assessed, governed, tainted: params.tainted }),
      await demandOfAnother(ctx, row, effects),
    );
    const said = await saidBefore(ctx, call, demand);
    if (said.kind !== "go") {
      await writeLateEnd(ctx, params);
      ctx.spent(nothingUsed);
    }
    if (said.kind === "sent_back") return said;
    if (said.kind === "ask") {
      await refusePaused(ctx, params.task);
      return { kind: "waits", approval: await askForCall(ctx, call, facts.assessed, said.demand) };
    }
    return make(ctx, params, loaded, judged, decided.effect);
  },
});

/** The effect of a call; a read has none. */
async function decide(
  ctx: WriteContext,
  { number }: CallTool,
  { row, tool, arguments: given }: Loaded,
): Promise<{ readonly effects: readonly StoredEffect[]; readonly decided: EffectDecision }> {
  if (tool.effect === "read") return { effects: [], decided: { kind: "make", effect: null } };
  const effects = await effectsOf(ctx, row, number);
  const action = actionKey(ctx, originOf(row), tool.name, given);
  return {
    effects,
    decided: decideEffect(effects, { action, target: targetOf(tool), repeatable: isRepeatable(tool) }),
  };
}

/** The digests in the record: of the arguments as the journal has them, and of what the service itself found. */
const callDigests = ({ shown }: CallTool, called: ToolCalled | undefined) => ({
  given: digestOf(shown),
  result: called?.kind === "done" && "output" in called.found ? digestOf(called.found.output) : null,
});

const hasHidden = ({ arguments: given, shown }: CallTool): boolean => !isDeepStrictEqual(given, shown);
const verdictOf = ({ stages }: Governed): string =>
  stages.find(({ stage }) => stage === "compliance")?.verdict ?? "not_applicable";
const readOf = (found: Found) => ("read" in found && found.read ? { read: found.read } : {});
const endOf = (found: Found) => ({ state: "failure" in found ? "failed" : "finished", ...found }) as const;

/** Facts for policies: a write has the risk of the call itself, a read that of its task. */
function callFacts(ctx: CallContext, { loaded }: Given) {
  const facts = runFacts(ctx, loaded, loaded.arguments);
  const { tool } = loaded;
  const seen = { ...facts, tool: { name: tool.name, effect: tool.effect } };
  if (tool.effect === "read") return seen;
  const assessed: Risk = riskOfCall(tool, facts.trust.low);
  const { level, score, impact, likelihood } = assessed;
  return { ...seen, risk: { level, score, impact, likelihood }, assessed };
}

interface Judged {
  readonly verdict: string;
  readonly redact: RedactDemand | null;
}

/**
 * Looks up what the service itself knows, or writes down that the call begins. The task is not locked while a look-up works: a stop must not wait for it. What
 * a worker finds that has lost the task by then does not count.
 */
async function make(
  ctx: WriteContext,
  params: CallTool,
  loaded: Loaded,
  judged: Judged,
  known: StoredEffect | null,
): Promise<ToolCalled> {
  const { row, tool, definition, arguments: given, editedAs } = loaded;
  const costUsd = tool.cost_usd ?? 0;
  const edited = editedAs === null ? null : given;
  if (tool.kind === "caller") {
    // Its effect begins when it is handed out: until then nobody can carry it out.
    const action = tool.effect === "read" ? null : actionOf(ctx, params, loaded);
    const id = await writeStep(ctx, params, judged, { costUsd, editedAs, action });
    return { kind: "for_caller", id, edited, redact: judged.redact };
  }
  if (tool.kind === "http") {
    const id = ctx.newId("stp");
    const action = tool.effect === "read" ? null : actionOf(ctx, params, loaded);
    const begun =
      action &&
      (await beginEffect(ctx, {
        task: row,
        step: id,
        number: params.number,
        tool: tool.name,
        arguments: given,
        action,
        effect: known,
        target: targetOf(tool),
      }));
    await writeStep(ctx, params, judged, { id, costUsd, editedAs, action, effect: begun?.row ?? null });
    const { redact } = judged;
    const connection = tool.connection ?? null;
    return { kind: "begun", id, connection, costUsd, redact, edited, effect: begun?.effect ?? null };
  }
  if ((await findHeldLeases(ctx.db, [{ scope: ctx.scope, ...params }])).size === 0)
    throw await leaseLostOf(ctx, row.id); // a look-up can take long
  const { agent, principal: asked_by } = row;
  const asked = { arguments: given, shown: params.shown }; // nobody edits a look-up
  const found = await findData(ctx, agent, tool, definition, asked, (query, result) =>
    noteQuestion(ctx, { query, found: result, task: row.id, asked_by, agent, quotes: null }),
  );
  return conclude(ctx, params, judged, { found, edited, costUsd, editedAs });
}

/** The action as the call is made and, if approvers edited it, as it was requested. */
function actionOf(
  ctx: WriteContext,
  { arguments: asked }: CallTool,
  { row, tool, arguments: given, editedAs }: Loaded,
) {
  const key = (as: CallTool["arguments"]): string => actionKey(ctx, originOf(row), tool.name, as);
  return { made: key(given), asked: editedAs === null ? null : key(asked) };
}

/** Returns the result of a write that an earlier attempt finished, without a call, approval or charge. */
async function reuse(ctx: WriteContext, params: CallTool, write: StoredEffect, judged: Judged): Promise<ToolCalled> {
  ctx.spent(nothingUsed);
  const found: Found = !write.intact
    ? { failure: stepNotIntact }
    : write.hidden
      ? { failure: answerHidden(write.tool) }
      : { output: stepJson(write, "output") };
  return conclude(ctx, params, judged, {
    found,
    edited: await editsOf(ctx, write),
    costUsd: 0,
    editedAs: write.edit_approval_id,
    reusedFrom: write.step_id,
    effect: write.key,
  });
}

/** Another task cannot use the output: it was erased, or its placeholders mean something else here. */
const answerHidden = (tool: string) => ({
  code: "answer_hidden",
  detail: `${tool} took effect in an earlier attempt and is not made again; its answer holds personal data that this attempt cannot see.`,
});

type StepDetails = Pick<
  NewStep,
  "costUsd" | "editedAs" | "action" | "effect" | "reusedFrom" | "state" | "output" | "failure" | "read"
>;

/** Stores a step as ended, or as open if something found has to be redacted first. */
async function conclude(
  ctx: WriteContext,
  params: CallTool,
  judged: Judged,
  { found, edited, ...details }: AsEdited & { readonly found: Found; readonly costUsd: number } & StepDetails,
): Promise<ToolCalled> {
  const { verdict, redact } = judged;
  const id = await writeStep(
    ctx,
    params,
    judged,
    redact === null ? { ...details, ...endOf(found) } : { ...details, ...readOf(found) },
  );
  const called = { id, found, verdict, costUsd: details.costUsd, edited };
  return redact === null ? { kind: "done", ...called } : { kind: "found", ...called, redact };
}

async function writeStep(
  ctx: WriteContext,
  params: CallTool,
  { verdict }: Judged,
  { id = ctx.newId("stp"), ...details }: StepDetails & { readonly id?: string },
): Promise<string> {
  const step = {
    id,
    number: params.number,
    kind: "tool",
    name: params.tool,
    input: params.shown,
    verdict,
  } as const;
  await writeLateEnd(ctx, params); // only now: it locks the task
  const seal = stepSeal(ctx.seals, ctx.scope, params.task, step.id, details.output);
  if (await insertStep(ctx.db, { scope: ctx.scope, ...params }, { ...step, ...details, seal })) return step.id;
  throw await leaseLostOf(ctx, params.task);
}
