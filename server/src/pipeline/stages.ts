import type { Demand } from "../kernel/budget.ts";
import type { CallContext } from "../kernel/context.ts";
import type { Refusal } from "../kernel/errors.ts";
import type { HeldCharge } from "../kernel/ledger.ts";
import type { PolicyFacts } from "../kernel/operation.ts";
import type { SealedSpec } from "../kernel/operation-seal.ts";
import type { Principal, Scope } from "../kernel/principal.ts";
import type { ApprovalDemand, RedactDemand, RunLimits, StageVerdict } from "../kernel/verdict.ts";
import type { Answer, Call } from "./call.ts";
import type { CompiledOperation } from "./compile.ts";
import type { PolicyContext } from "./compliance/context.ts";
import type { PolicyReason } from "./compliance/evaluate.ts";
import type { CallRows, KeyFacts, Machine, SessionFacts } from "./ports.ts";
import { StageTimes } from "./watch.ts";

// A call as a sequence of values. Each stage takes what the one before returned, and returns it with what it found out, so that
// no stage can read what is not decided yet (docs/decisions/0045). The order of the stages is in run.ts.

/** A call that arrived: nobody is known, nothing decided. */
export interface Received {
  readonly machine: Machine;
  readonly compiled: CompiledOperation;
  readonly spec: SealedSpec;
  readonly call: Call;
  /** The id of the call's audit record. */
  readonly auditRef: string;
  readonly now: number;
  readonly times: StageTimes;
}

/** The caller is known. */
export interface Authenticated extends Received {
  readonly principal: Principal;
  readonly scope: Scope;
  /** What bounds the caller: the key's limits, or the session's; null for the service's own machines. */
  readonly key: KeyFacts | null;
  readonly session: SessionFacts | null;
  readonly params: Call["params"];
}

/** The caller is within its rate. */
export interface Admitted extends Authenticated {
  /** Headers of every response to the call, whatever its status. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What the path names has been found. */
export interface Loaded extends Admitted {
  readonly loaded: unknown;
}

/** The caller may call this operation on what the path names. */
export interface Authorized extends Loaded {
  readonly permissions: StageVerdict;
  /** The context of everything that is asked before the handler. */
  readonly context: CallContext;
}

/** What an operation's functions take of the call. */
export interface Input {
  readonly params: Call["params"];
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly loaded: unknown;
}

/** Query and body have the declared form. */
export interface Validated extends Authorized {
  readonly input: Input;
  readonly dryRun: boolean;
  /** What the operation's own rules say against the body; thrown when the call is governed. */
  readonly invalid: Refusal | null;
}

/** The evaluation gate lets the call pass. */
export interface Gated extends Validated {
  readonly gate: StageVerdict;
  /** The approval that the stages so far ask for. */
  readonly approval: ApprovalDemand | null;
  readonly tags: readonly string[];
}

/** What policies, stops and budgets see of the call. */
export interface Described extends Gated {
  readonly facts: PolicyFacts;
  /** Null where compliance is exempt. */
  readonly policyContext: PolicyContext | null;
}

/** What policies decided. */
export interface Governed extends Described {
  readonly compliance: StageVerdict;
  readonly limits: RunLimits | null;
  readonly redact: RedactDemand | null;
  /** What shadow policies would have done, and what active ones only want noticed. */
  readonly findings: readonly PolicyReason[];
  /** The active policies that ask for approval. */
  readonly asking: readonly PolicyReason[];
}

/** What the handler did; nothing of it is committed yet. */
export interface Handled extends Governed {
  readonly output: unknown;
  readonly writes: Omit<CallRows, "record">;
  /** Facts to reload after the commit. */
  readonly topics: readonly string[];
  /** The approval that came of the call. */
  readonly approvalId: string | null;
  /** What the handler really used of its reservation; undefined: all of it. */
  readonly actual: Demand | undefined;
  /** What it holds of budgets and in the ledger; null: it spends nothing. */
  readonly charge: HeldCharge | null;
  /** The handler took that over: it outlives the commit. */
  readonly keepsCharge: boolean;
}

/** A repeated call whose first answer is given again. It goes from validation straight to its answer, judged as a read. */
export interface Replayed extends Described {
  readonly compliance: StageVerdict;
  readonly replayed: true;
}

/** How far a call got: the value of the last stage that it passed. */
export type Reached = Received & Partial<Handled> & Partial<Pick<Replayed, "replayed">>;

/** Notes how far a call got, so that the record of a refusal says what was known by then. Returns its argument. */
export type Reach = <S extends Reached>(stage: S) => S;

/** A call whose record is durable. */
export interface Settled {
  readonly answer: Answer;
  readonly output: unknown;
  /** What the record names, `<type>:<id>`. */
  readonly object: string | null;
  /** The handler's events that the commit stored. */
  readonly events: CallRows["events"];
}

/** The effect of a validated call, its record and its answer. */
export type Settle = (validated: Validated, reached: Reach) => Promise<Settled>;

export function receive(machine: Machine, compiled: CompiledOperation, call: Call): Received {
  const now = machine.clock.now();
  const auditRef = machine.newId("aud", now);
  return { machine, compiled, spec: compiled.spec, call, auditRef, now, times: new StageTimes() };
}
