import type { CallContext } from "../kernel/context.ts";
import type { EmittedEvent } from "../kernel/events.ts";
import type { PolicyFacts } from "../kernel/operation.ts";
import type { SealedSpec } from "../kernel/operation-seal.ts";
import { anonymous, type Scope } from "../kernel/principal.ts";
import type { Governed } from "../kernel/verdict.ts";
import { beginProgress, type Call, type Progress, stagesOf } from "./call.ts";
import type { CompiledOperation } from "./compile.ts";
import type { AppendedRow, Machine } from "./ports.ts";

/** One call under way: what the stages found so far. Made and read only inside the pipeline. */
export interface Attempt {
  readonly machine: Machine;
  readonly compiled: CompiledOperation;
  readonly spec: SealedSpec;
  readonly call: Call;
  readonly progress: Progress;
  /** Headers that the answer carries whatever its status. */
  readonly headers: Record<string, string>;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  loaded: unknown;
  facts: PolicyFacts;
  approval: Governed["approval"];
  dryRun: boolean;
  context: CallContext | null;
  /** The approval that came of the call. */
  approvalId: string | null;
  /** An earlier answer is given again. */
  replayed: boolean;
}

/** A call at its start: nobody is known, nothing decided. */
export function beginAttempt(machine: Machine, compiled: CompiledOperation, call: Call): Attempt {
  const progress = beginProgress(machine.newId("aud"), machine.clock.now(), anonymous);
  return {
    machine,
    compiled,
    call,
    progress,
    spec: compiled.spec,
    headers: {},
    params: {},
    query: {},
    body: undefined,
    loaded: undefined,
    facts: {},
    approval: null,
    dryRun: false,
    context: null,
    approvalId: null,
    replayed: false,
  };
}

/** The scope of a call that passed authentication. */
export function scopeOf(attempt: Attempt): Scope {
  if (!attempt.progress.scope) throw new Error("the call has not been authenticated");
  return attempt.progress.scope;
}

/** The context shared by all kinds of operation. Made here, and so only in the pipeline. */
export function contextOf(attempt: Attempt): CallContext {
  if (attempt.context) return attempt.context;
  const { machine, progress, call, spec } = attempt;
  attempt.context = {
    scope: scopeOf(attempt),
    principal: progress.principal,
    now: progress.now,
    requestId: call.requestId,
    auditRef: progress.auditRef,
    operation: spec.id,
    facts: machine.facts,
    newId: machine.newId,
    appUrl: machine.appUrl,
  };
  return attempt.context;
}

/** What the handler is given. */
export function handlingOf(attempt: Attempt) {
  const { params, query, body, loaded, facts, approval, progress } = attempt;
  const governed: Governed = { stages: stagesOf(progress), approval, tags: progress.tags };
  return { params, query, body, loaded, facts, governed };
}

/** Collects the events of a call; each is an object of a declared type, turned into the text that is stored. */
export function collectEvents(): {
  events: EmittedEvent[];
  emit: (type: { type: string }, body: object, task?: { id: string; sequence: number }) => void;
} {
  const events: EmittedEvent[] = [];
  const emit = (type: { type: string }, body: object, task?: { id: string; sequence: number }): void => {
    events.push({
      type: type.type,
      taskId: task?.id ?? null,
      taskSequence: task?.sequence ?? null,
      body: JSON.stringify({ event: type.type, ...body }),
    });
  };
  return { events, emit };
}

/** What a handler appended, in order. */
export type Appended = AppendedRow[];
