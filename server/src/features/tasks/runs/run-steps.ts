import type { Demand } from "../../../kernel/budget.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Reader } from "../../../kernel/db.ts";
import { businessFailure, Refusal } from "../../../kernel/errors.ts";
import type { FactsReader } from "../../../kernel/facts.ts";
import type { NewId } from "../../../kernel/ids.ts";
import { chargedUsd } from "../../../kernel/ledger.ts";
import type { RunInside } from "../../../kernel/machines.ts";
import type { PortReader } from "../../../kernel/port.ts";
import type { Scope } from "../../../kernel/principal.ts";
import {
  agentPaused,
  budgetExhausted,
  conflict,
  killSwitchEngaged,
  policyBlocked,
  taskPaused,
} from "../../../kernel/problems.ts";
import type { Seals } from "../../../kernel/seals.ts";
import type { RedactDemand } from "../../../kernel/verdict.ts";
import type { Failure } from "../schemas.ts";
import { type Showing, shownEnd, shownFailure, shownInput } from "../steps/redactions.ts";
import { stepSeal } from "../steps/seal.ts";
import { addStep, endStepOf, type LeaseKey, type StepEnding } from "../steps/store.ts";
import type { OpenTurn } from "./conversation-turns.ts";
import { type Found, noteFound } from "./find-data.ts";
import type { HeldRun } from "./holds.ts";
import { callModel } from "./operations/call-model.ts";
import { callTool, type ToolCalled } from "./operations/call-tool.ts";

// Steps of a run: calls of tools, turns of models, and their ends.

export interface RunnerPortParts extends PortReader {
  /** As `system:worker`. */
  readonly inside: RunInside;
  /** For leases and the journal, outside of calls. */
  readonly db: Reader;
  readonly facts: FactsReader;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly seals: Seals;
  /** Seals the values behind placeholders. */
  readonly credentialKey: Buffer;
  /** What a connection adds to the requests of its tools; null: there is none of that name. */
  readonly credentials: (scope: Scope, connection: string) => Promise<unknown>;
  /** Called when a run has written to a conversation. */
  readonly chatStored?: () => void;
}

export interface Shared extends Showing, Pick<RunnerPortParts, "inside" | "db" | "newId" | "credentials"> {
  /** Runs that this process started, by their leases. */
  readonly runs: WeakMap<LeaseKey, HeldRun>;
  readonly turns: WeakMap<LeaseKey, OpenTurn>;
  /** What to redact in the output of open steps, by their ids. */
  readonly kept: WeakMap<LeaseKey, Map<string, RedactDemand>>;
}

export interface StepSpec {
  readonly number: number;
  readonly kind: "model" | "tool";
  readonly name: string;
  readonly input: unknown;
}

export function runOfLease({ runs }: Shared, lease: LeaseKey): { task: string; owner: string; held?: HeldRun } {
  const held = runs.get(lease);
  return { task: lease.task, owner: lease.owner, ...(held ? { held } : {}) };
}

/** Writes the end of the last step, if it was left to the next one. A lost lease shows in the next call. */
export async function writeLate({ db, runs }: Shared, lease: LeaseKey): Promise<void> {
  const held = runs.get(lease);
  if (!held?.late) return;
  const { id, ...end } = held.late;
  await endStepOf(db, lease, id, end);
  held.late = null;
}

/** The run went on, which wrote the end of the step before. */
function went(
  held: HeldRun | undefined,
  { costUsd = 0, turn = null }: { costUsd?: number; turn?: string | null },
): void {
  if (!held) return;
  held.late = null;
  held.turn = turn;
  held.work.row.cost_usd += chargedUsd(costUsd);
}

export interface ToolCall {
  readonly number: number;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly again?: boolean;
  readonly tainted?: boolean;
}

/** Calls the tool with the values behind the placeholders: policies judge what is really asked. */
export async function toolResult(
  shared: Shared,
  lease: LeaseKey,
  { number, tool, arguments: shown, again = false, tainted = false }: ToolCall,
) {
  const given = shared.redactions.restore(lease, shown);
  const run = runOfLease(shared, lease);
  try {
    const hides = shared.atStart.has(lease);
    const called = await shared.inside(callTool, lease.scope, {
      ...run,
      number,
      tool,
      arguments: given,
      shown,
      hides,
      again,
      tainted,
    });
    went(run.held, "costUsd" in called ? called : {});
    const outcome = await outcomeOf(shared, lease, called, given);
    if ("output" in outcome) noteFound(run.held, { name: tool, output: outcome.output }, called.kind === "found");
    return outcome;
  } catch (error) {
    const kept = keptBy(error);
    if (kept?.kind === "refused" || kept?.kind === "held") {
      const { failure } = kept;
      const step = {
        id: shared.newId("stp"),
        number,
        kind: "tool",
        name: tool,
        input: shown,
        state: "failed",
        failure,
        verdict: "deny",
      } as const;
      await writeLate(shared, lease);
      if (!(await addStep(shared.db, lease, step))) return { kind: "lost" } as const;
    }
    if (kept) return kept;
    throw error;
  }
}

/** Asks whether the model may be called. `shown`: the prompt with placeholders for what policies redact; null: the lease is lost. */
export async function beginModel(
  shared: Shared,
  lease: LeaseKey,
  { number, name: model, input }: StepSpec,
  demand: Demand,
) {
  const run = runOfLease(shared, lease);
  try {
    const hides = shared.atStart.has(lease);
    const { id, charge, redact } = await shared.inside(callModel, lease.scope, {
      ...run,
      number,
      model,
      shown: input,
      hides,
      demand,
    });
    went(run.held, { turn: id });
    const shown = async <T>(prompt: T): Promise<T | null> => {
      const redacted = redact && (await shared.redactions.redact(lease, redact, prompt));
      if (redact === null) return prompt;
      return redacted ? (redacted.value as T) : null;
    };
    const settle = async (used: Demand): Promise<void> => {
      await charge?.settle(used);
      if (run.held) run.held.work.row.cost_usd += chargedUsd(used.usd ?? 0);
    };
    return { kind: "begun", id, shown, settle } as const;
  } catch (error) {
    const kept = keptBy(error);
    if (kept) return kept;
    throw error;
  }
}

/** What the loop gets: of a record what policies let through. Other tools are called by whoever asked. */
async function outcomeOf(shared: Shared, lease: LeaseKey, called: ToolCalled, given: ToolCall["arguments"]) {
  if (!("edited" in called) || called.edited === null) return resultOf(shared, lease, called, given);
  const edited = await shownInput(shared, lease, called.edited); // first, so that what is found of them is known by its placeholders
  if (edited === null) return { kind: "lost" } as const;
  const outcome = await resultOf(shared, lease, called, called.edited);
  return outcome.kind === "lost" ? outcome : { ...outcome, edited };
}

async function resultOf(shared: Shared, lease: LeaseKey, called: ToolCalled, given: ToolCall["arguments"]) {
  switch (called.kind) {
    case "done":
      return foundOf(called, called.found);
    case "found": {
      keep(shared, lease, called.id, called.redact);
      const { found } = called;
      const end =
        "failure" in found
          ? ({ state: "failed", failure: found.failure } as const)
          : ({ state: "finished", output: found.output } as const);
      const ended = await endStep(shared, lease, called.id, end);
      if (ended === null) return { kind: "lost" } as const;
      return foundOf(called, ended.failure ? { failure: ended.failure } : { output: ended.output });
    }
    case "begun": {
      const { id, connection, costUsd, redact, effect } = called;
      if (redact) keep(shared, lease, id, redact);
      const credentials = connection === null ? null : await shared.credentials(lease.scope, connection);
      if (connection !== null && credentials === null) {
        const failure = noConnection(connection);
        const state = effect?.before === "unknown" ? "unknown" : "failed"; // not sent, which says nothing of before
        const ended = await endStep(shared, lease, id, { state, failure });
        return ended
          ? ({ kind: "failed", id, failure, verdict: "allow", costUsd } as const)
          : ({ kind: "lost" } as const);
      }
      return { kind: "begun", id, arguments: given, credentials, costUsd, effect } as const;
    }
    case "for_caller": {
      const { id, redact } = called;
      return { kind: "for_caller", id, arguments: given, redact } as const;
    }
    case "waits":
      return called;
    case "in_doubt": {
      const detail = `It was not made: nobody knows yet whether ${called.tool} took effect in an earlier attempt.`;
      return { kind: "sent_back", failure: { code: "outcome_unknown", detail } } as const;
    }
    case "sent_back": {
      const said = {
        code: "changes_requested",
        detail: `It was not carried out; people want it otherwise: ${called.note}`,
      };
      const failure = await shownFailure(shared.redactions, lease, [shared.atStart.get(lease)], said);
      return failure ? ({ kind: "sent_back", failure } as const) : ({ kind: "lost" } as const);
    }
  }
}

function foundOf({ id, verdict, costUsd }: { id: string; verdict: string; costUsd: number }, found: Found) {
  if ("failure" in found) return { kind: "failed", id, failure: found.failure, verdict, costUsd } as const;
  return { kind: "output", id, output: found.output, verdict, costUsd } as const;
}

function keep({ kept }: Shared, lease: LeaseKey, id: string, demand: RedactDemand): void {
  const of = kept.get(lease) ?? new Map<string, RedactDemand>();
  kept.set(lease, of.set(id, demand));
}

/** Stores the end of a step, redacted by policies. Returns its output or failure; null if the lease is lost. */
export async function endStep(
  shared: Shared,
  lease: LeaseKey,
  id: string,
  given: StepEnding,
): Promise<Pick<StepEnding, "output" | "failure"> | null> {
  const shown = await shownEnd(shared, lease, shared.kept.get(lease)?.get(id), given);
  if (shown === null) return null;
  const { output, failure } = shown;
  const end = { ...shown, seal: stepSeal(shared.seals, lease.scope, lease.task, id, output) };
  const seen = failure ? { failure } : { output };
  const held = shared.runs.get(lease);
  if (held && endsLate(held, id, end)) {
    held.late = { id, ...end };
    return seen;
  }
  if (!(await endStepOf(shared.db, lease, id, end))) return null;
  return seen;
}

/** A turn of the built-in model is free and deterministic: its end is written with the next step, in one statement. */
const endsLate = ({ work, turn }: HeldRun, id: string, { state }: StepEnding): boolean =>
  state === "finished" && id === turn && work.definition.model.provider === "builtin";

// Refusals of a worker's calls.

export const is = (error: unknown, ...types: { code: string }[]): error is Refusal =>
  error instanceof Refusal && types.some((type) => type.code === error.type.code);

/** Why a tool with a missing connection was not called. */
export const noConnection = (name: string): Failure => ({
  code: "connection_missing",
  detail: `The tool names the connection ${name}, and there is none of that name in this environment: add it with POST /v1/admin/connections.`,
});

/** The step's failure for a refusal; undefined: it is a fault. */
export function keptBy(error: unknown) {
  if (is(error, conflict)) return { kind: "lost" } as const;
  if (is(error, taskPaused)) return { kind: "later", seconds: 0, failure: businessFailure(error) } as const;
  const seconds = waitOf(error);
  if (seconds !== undefined) return { kind: "later", seconds, failure: businessFailure(error) } as const;
  if (is(error, policyBlocked, budgetExhausted)) return { kind: "refused", failure: businessFailure(error) } as const;
  if (is(error, killSwitchEngaged, agentPaused))
    return { kind: "held", hold: holdIn(error), failure: businessFailure(error) } as const;
  return undefined;
}

/** Seconds to wait for budget that calls under way have reserved; undefined: another refusal. */
function waitOf(error: unknown): number | undefined {
  if (!is(error, budgetExhausted)) return undefined;
  const { members, headers } = error.details;
  const { budget } = (members ?? {}) as { readonly budget?: { readonly reserved?: number } };
  return budget?.reserved === undefined ? undefined : Number(headers?.["Retry-After"] ?? 1);
}

/** What a refusal by a kill switch or pause means for the run. */
function holdIn({ details }: Refusal): "give_back" | "stop" {
  const { kill_switch: stop } = (details.members ?? {}) as { readonly kill_switch?: { readonly mode: string } };
  return stop?.mode === "pause" ? "give_back" : "stop";
}
