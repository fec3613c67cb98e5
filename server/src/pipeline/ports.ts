import type { AppendTable, Guard, JobSpec } from "../kernel/append.ts";
import type { Reservation, Spending } from "../kernel/budget.ts";
import type { Clock } from "../kernel/clock.ts";
import type { CursorSealer } from "../kernel/context.ts";
import type { Reader, Writer } from "../kernel/db.ts";
import type { ProblemType, RefusalDetails } from "../kernel/errors.ts";
import type { EmittedEvent } from "../kernel/events.ts";
import type { FactsReader } from "../kernel/facts.ts";
import type { GateOverride } from "../kernel/gate-table.ts";
import type { NewId } from "../kernel/ids.ts";
import type { KeyFacts, SessionFacts } from "../kernel/key-facts.ts";
import type { LedgerEntry } from "../kernel/ledger.ts";
import { definePort, type PortReader } from "../kernel/port.ts";
import type { Scope } from "../kernel/principal.ts";
import type { Seals } from "../kernel/seals.ts";
import type { StageVerdict } from "../kernel/verdict.ts";
import type { PolicySet } from "./compliance/evaluate.ts";
import type { InFlight } from "./limits/in-flight.ts";
import type { OpenStreams } from "./limits/open-streams.ts";
import type { CallWatch } from "./watch.ts";

export type { KeyFacts, SessionFacts } from "../kernel/key-facts.ts";

// What the stages need to know from the slices and the machines..

/** What the evaluation gate knows of a version in an environment; undefined: nothing. */
export interface GateFacts {
  readonly verdict: "open" | "failed" | "inconclusive";
  readonly reasons: readonly string[];
  readonly expiresAt: number;
  readonly version: string;
}

/** A stop or an agent's pause that stands against a call, as the caller sees it. */
export interface Hold {
  /** `ksw_…`, or `pause`. */
  readonly source: string;
  readonly type: ProblemType;
  readonly detail: string;
  readonly members: NonNullable<RefusalDetails["members"]>;
}

/** What a call is about, as far as stops and pauses can name it. */
export interface HoldSubject {
  readonly agent?: string;
  readonly versionId?: string;
  readonly skill?: string;
  readonly tool?: string;
  readonly model?: string;
  readonly workflow?: string;
}

/** Budgets as the stages use them. */
export interface BudgetPort {
  /**
   * Holds what a call may use; null: no budget covers it. No promise where memory suffices. Throws or rejects with
   * `budget_exhausted` of stage compliance, whose member `budget` names `scope`, `unit` and `period`, and `reserved` where calls under way hold what is left.
   */
  reserve(scope: Scope, spending: Spending, now: number): Reservation | null | Promise<Reservation | null>;
  /** Writes down what work that outlived its call was charged. Once, however often it is written. */
  charge(scope: Scope, entry: LedgerEntry): Promise<void>;
  /** Members of the policy context's `spend`, as far as budgets know them; undefined: none. From memory. */
  spend(scope: Scope, agent: string): Readonly<Record<string, number>> | undefined;
}

/** Who a record concerns and what happened: everything the recorder needs to write it. */
export interface RecordDraft {
  readonly id: string;
  readonly time: number;
  /** Null: the log of the installation, for callers nobody knows. */
  readonly scope: Scope | null;
  readonly principal: string;
  readonly keyId: string | null;
  readonly operation: string;
  readonly object: string | null;
  readonly taskId: string | null;
  readonly approvalId: string | null;
  readonly stages: readonly StageVerdict[];
  readonly status: number;
  readonly code: string | null;
  readonly outcome: "allowed" | "refused" | "failed";
  readonly requestId: string;
  /** Digests of the bodies' bytes, in hexadecimal. */
  readonly requestDigest: string | null;
  readonly responseDigest: string | null;
  readonly address: string | null;
  readonly trustScore: number | null;
  readonly subject: string;
  /** The subject came into being with this call: its salt need not be looked up. */
  readonly freshSubject: boolean;
  /** What policies saw, as text (`replay-context.ts`); stands beside the record, not in its leaf. */
  readonly context: string | null;
}

/** A record ready to be written. */
export interface PreparedRecord {
  readonly id: string;
  readonly organization: string;
  readonly environment: string;
  readonly body: string;
  readonly context: string | null;
  /** The salt under which it commits to values. */
  readonly saltId: string;
  /** The salt of a fresh subject, to be written with the record. */
  readonly newSalt: { readonly subject: string; readonly id: string; readonly salt: Buffer } | null;
}

export interface AppendedRow {
  readonly table: AppendTable;
  readonly row: Record<string, unknown>;
}

/** What has to hold for a call to be written; `told` hears what the guard says of its row. */
export interface AppendedGuard {
  readonly guard: Guard;
  readonly row: Record<string, unknown>;
  readonly told: ((text: string) => void) | null;
}

/** All that one call writes in a group commit. */
export interface CallRows {
  readonly record: PreparedRecord;
  readonly guard?: AppendedGuard;
  readonly rows: readonly AppendedRow[];
  readonly events: readonly EmittedEvent[];
  readonly jobs: readonly JobSpec[];
  readonly newEventId: () => string;
}

/** A stored answer of an earlier call with the same Idempotency-Key. */
export interface StoredAnswer {
  readonly bodyDigest: string;
  readonly status: number;
  readonly answer: Buffer;
  readonly headers: Record<string, string>;
}

/** An open transaction of one call. Ends by `commit` or `rollback`, exactly once. */
export interface Transaction {
  readonly writer: Writer;
  /** Takes the lock on an idempotency hash; false: a twin is running. */
  claim(hash: string): Promise<boolean>;
  /** The answer stored under a hash at or after the record id `since`; with `keyId` only if that key made the call. */
  findAnswer(hash: string, since: string, keyId?: string | null): Promise<StoredAnswer | undefined>;
  /** Writes what belongs to the call and commits: after this promise all of it is durable. */
  commit(
    end: CallRows & { topics: readonly string[]; answer: { hash: string; stored: StoredAnswer } | null },
  ): Promise<void>;
  rollback(): Promise<void>;
}

/** What the stages ask of slices. */
export interface StagePort {
  keyByHash(hash: string): KeyFacts | undefined;
  keyById(id: string): KeyFacts | undefined;
  /** Looks an unknown key up in the database, once. */
  lookUpKey(hash: string): Promise<KeyFacts | undefined>;
  /** The session whose secret has this SHA-256, in hexadecimal. From memory; undefined: none that anybody stands behind. */
  sessionByHash(hash: string): SessionFacts | undefined;
  sessionUsed(session: SessionFacts, now: number): void;
  /** Whom a one-time link signs in, from the database. One that is used or over counts as expired. */
  lookUpLink(hash: string): Promise<KeyFacts | undefined>;
  keyUsed(keyId: string, scope: Scope, now: number): void;
  gate(scope: Scope, versionId: string): GateFacts | undefined;
  /** What the agent's gate says of its own in the place of the environment's rule; nothing where it has none. From memory. */
  gateOverride(scope: Scope, agent: string): GateOverride;
  policies(scope: Scope): PolicySet;
  /** The strictest stop or pause that stands against an action of agents; null: none. From memory. */
  hold(scope: Scope, action: string, of: HoldSubject): Hold | null;
  readonly budgets: BudgetPort;
}
export const stagePort = definePort<StagePort>("stages of the pipeline");

/** The machines behind the stages. */
export interface Machine extends PortReader {
  readonly clock: Clock;
  /** Until when Idempotency-Keys are also looked up as releases before migration 0023 stored them (milliseconds since the epoch); 0: there are none. */
  readonly formerKeysUntil: number;
  readonly newId: NewId;
  readonly appUrl: string;
  /** See `CallContext`. */
  readonly personalSignIn: boolean;
  readonly facts: FactsReader & {
    /** Whether the facts were confirmed within their bound. */
    fresh(): boolean;
    /** Tries to confirm them, at most so long (milliseconds); answers whether they are fresh then. */
    freshWithin(ms: number): Promise<boolean>;
    /** Makes sure that what was committed before is what is held. */
    refresh(): Promise<void>;
  };
  readonly rateLimit: RateLimit;
  readonly inFlight: InFlight;
  readonly streams: OpenStreams;
  readonly reader: Reader;
  readonly seals: Seals;
  readonly cursors: (operation: string, scope: Scope) => CursorSealer;
  /** A transaction of a call's own. Those of one operation inside come one after another where they are many, so that others find a connection. */
  readonly begin: (
    scope: Scope,
    operation: { readonly door: "http" | "inside"; readonly id: string },
  ) => Promise<Transaction>;
  readonly recorder: {
    prepare(draft: RecordDraft): PreparedRecord | Promise<PreparedRecord>;
    /** Durable when it resolves; `lost`: an earlier row held the claim, or the guard does not hold; nothing of this call was written. */
    append(rows: CallRows): Promise<"written" | "lost">;
  };
  /** Reports a fault of ours; what it says never reaches the caller. */
  readonly report: (error: unknown, requestId: string, operation: string) => void;
  /** Null: nobody hears of calls. */
  readonly watch: CallWatch | null;
}

export interface RateLimit {
  /** Takes one call from the key's allowance. */
  take(key: string, ratePerSecond: number | null, now: number): RateTaken;
  /** Takes one attempt to sign in from the allowance of an address. */
  attempt(address: string | null, now: number): RateTaken;
}

export interface RateTaken {
  readonly allowed: boolean;
  readonly headers: Record<string, string>;
}
