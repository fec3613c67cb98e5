import type { Demand, Reservation } from "../kernel/budget.ts";
import type { CallContext } from "../kernel/context.ts";
import type { Refusal } from "../kernel/errors.ts";
import type { EmittedEvent } from "../kernel/events.ts";
import type { IdPrefix, NewId } from "../kernel/ids.ts";
import type { AuditObject, PolicyFacts } from "../kernel/operation.ts";
import type { SealedSpec } from "../kernel/operation-seal.ts";
import { anonymous, type Scope } from "../kernel/principal.ts";
import type { Governed } from "../kernel/verdict.ts";
import { beginProgress, type Call, type Progress, stagesOf } from "./call.ts";
import type { CompiledOperation } from "./compile.ts";
import type { PolicyContext } from "./compliance/context.ts";
import type { PolicyReason } from "./compliance/evaluate.ts";
import type { AppendedRow, Hold, Machine } from "./ports.ts";
import { namesRevision } from "./precondition.ts";
import { secondsToWait } from "./prefer.ts";
import { type CallWatch, StageTimes } from "./watch.ts";

/** One call under way: what the stages found so far. Made and read only inside the pipeline. */
export interface Attempt {
  readonly machine: Machine;
  readonly compiled: CompiledOperation;
  readonly spec: SealedSpec;
  readonly call: Call;
  readonly progress: Progress;
  readonly times: StageTimes;
  /** Headers that the answer carries whatever its status. */
  readonly headers: Record<string, string>;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  /** What the operation's own rules say against the body; null: nothing. */
  unfit: Refusal | null;
  loaded: unknown;
  facts: PolicyFacts;
  approval: Governed["approval"];
  dryRun: boolean;
  context: CallContext | null;
  /** What policies saw, once it is known; null where compliance is exempt or was not reached. */
  policyContext: PolicyContext | null;
  limits: Governed["limits"];
  redact: Governed["redact"];
  /** What shadow policies would have done, and what active ones only want noticed. */
  findings: readonly PolicyReason[];
  /** The active policies that ask for approval. */
  asking: readonly PolicyReason[];
  /** The stop or pause that refused the call. */
  hold: Hold | null;
  reservation: Reservation | null;
  /** The handler took the reservation over: it outlives the commit. */
  reservationKept: boolean;
  /** What the handler said that it really used. */
  actual: Demand | undefined;
  /** What the record names, once it was drafted. */
  named: AuditObject | null;
  /** The approval that came of the call. */
  approvalId: string | null;
  /** Gives its place among the calls in flight back; null: it has none. */
  leave: (() => void) | null;
  /** An earlier answer is given again. */
  replayed: boolean;
  /** The events of what its handler did. */
  emitted: readonly EmittedEvent[];
}

const noFindings: readonly PolicyReason[] = [];
const noEvents: readonly EmittedEvent[] = [];

/** A call at its start: nobody is known, nothing decided. */
export function beginAttempt(machine: Machine, compiled: CompiledOperation, call: Call): Attempt {
  const now = machine.clock.now();
  const progress = beginProgress(machine.newId("aud", now), now, anonymous);
  return {
    machine,
    compiled,
    call,
    progress,
    spec: compiled.spec,
    times: new StageTimes(),
    headers: {},
    params: {},
    query: {},
    body: undefined,
    unfit: null,
    loaded: undefined,
    facts: {},
    approval: null,
    dryRun: false,
    context: null,
    policyContext: null,
    limits: null,
    redact: null,
    findings: noFindings,
    asking: noFindings,
    hold: null,
    reservation: null,
    reservationKept: false,
    actual: undefined,
    named: null,
    approvalId: null,
    leave: null,
    replayed: false,
    emitted: noEvents,
  };
}

/** The scope of a call that passed authentication. */
export function scopeOf(attempt: Attempt): Scope {
  if (!attempt.progress.scope) throw new Error("the call has not been authenticated");
  return attempt.progress.scope;
}

/** The context shared by all kinds of operation: what it says is the call's, whatever a handler gets besides. */
export class PipelineContext implements CallContext {
  readonly scope: CallContext["scope"];
  readonly principal: CallContext["principal"];
  readonly now: number;
  readonly requestId: string;
  readonly address: string | null;
  readonly auditRef: string;
  readonly operation: string;
  readonly facts: CallContext["facts"];
  readonly seals: CallContext["seals"];
  readonly appUrl: string;
  readonly personalSignIn: boolean;
  readonly batch: string | null;
  readonly waitSeconds: number;
  readonly basedOnLoaded: boolean;
  readonly #newId: NewId;
  readonly #call: Call;
  readonly #watch: CallWatch | null;

  constructor(attempt: Attempt) {
    const { machine, progress, call, spec } = attempt;
    this.scope = scopeOf(attempt);
    this.principal = progress.principal;
    this.now = progress.now;
    this.requestId = call.requestId;
    this.address = call.address;
    this.auditRef = progress.auditRef;
    this.operation = spec.id;
    this.facts = machine.facts;
    this.seals = machine.seals;
    this.#newId = machine.newId;
    this.appUrl = machine.appUrl;
    this.personalSignIn = machine.personalSignIn;
    this.batch = call.batch;
    this.basedOnLoaded = (spec.ifMatch ?? spec.mayMatch) !== undefined && namesRevision(call.ifMatch);
    this.waitSeconds = spec.waitable ? secondsToWait(call.prefer) : 0;
    this.#call = call;
    this.#watch = machine.watch;
  }

  /** Ids of a call say the time of the call, as everything else of it does. */
  newId(prefix: IdPrefix): string {
    return this.#newId(prefix, this.now);
  }

  get traceparent(): string | null {
    return this.#watch?.traceparent() ?? null;
  }

  /** Not a member of its own, but made when it is asked for: few calls look. */
  get signal(): AbortSignal {
    return this.#call.signal();
  }
}

/** The context for what stands before the handler. Made here, and so only in the pipeline. */
export function contextOf(attempt: Attempt): CallContext {
  attempt.context ??= new PipelineContext(attempt);
  return attempt.context;
}

/** What the handler is given. */
export function handlingOf(attempt: Attempt) {
  const { params, query, body, loaded, facts, approval, limits, redact, progress } = attempt;
  const governed: Governed = { stages: stagesOf(progress), approval, tags: progress.tags, limits, redact };
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
