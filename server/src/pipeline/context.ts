import type { Demand } from "../kernel/budget.ts";
import type { CallContext, CursorSealer, ReadContext } from "../kernel/context.ts";
import type { Reader } from "../kernel/db.ts";
import type { IdPrefix, NewId } from "../kernel/ids.ts";
import type { Call } from "./call.ts";
import { namesRevision } from "./precondition.ts";
import { secondsToWait } from "./prefer.ts";
import type { Authenticated } from "./stages.ts";
import type { CallWatch } from "./watch.ts";

/** The context shared by all kinds of operation. Only the pipeline makes one. */
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
  readonly port: CallContext["port"];
  readonly appUrl: string;
  readonly personalSignIn: boolean;
  readonly batch: string | null;
  readonly waitSeconds: number;
  readonly basedOnLoaded: boolean;
  readonly #newId: NewId;
  readonly #call: Call;
  readonly #watch: CallWatch | null;

  constructor({ machine, call, spec, scope, principal, now, auditRef }: Authenticated) {
    this.scope = scope;
    this.principal = principal;
    this.now = now;
    this.requestId = call.requestId;
    this.address = call.address;
    this.auditRef = auditRef;
    this.operation = spec.id;
    this.facts = machine.facts;
    this.seals = machine.seals;
    this.port = machine.port;
    this.#newId = machine.newId;
    this.appUrl = machine.appUrl;
    this.personalSignIn = machine.personalSignIn;
    this.batch = call.batch;
    this.basedOnLoaded = (spec.ifMatch ?? spec.mayMatch) !== undefined && namesRevision(call.ifMatch);
    this.waitSeconds = spec.waitable ? secondsToWait(call.prefer) : 0;
    this.#call = call;
    this.#watch = machine.watch;
  }

  /** Ids of a call carry the time of the call. */
  newId(prefix: IdPrefix): string {
    return this.#newId(prefix, this.now);
  }

  get traceparent(): string | null {
    return this.#watch?.traceparent() ?? null;
  }

  /** Made when it is asked for: few calls look. */
  get signal(): AbortSignal {
    return this.#call.signal();
  }
}

/** The context of `load` and of reads: a database handle that cannot write. */
export class PipelineReadContext extends PipelineContext implements ReadContext {
  readonly db: Reader;
  readonly cursors: CursorSealer;
  actual: Demand | undefined;

  constructor(authenticated: Authenticated) {
    super(authenticated);
    this.db = authenticated.machine.reader;
    this.cursors = authenticated.machine.cursors(authenticated.spec.id, authenticated.scope);
  }

  spent(actual: Demand): void {
    this.actual = actual;
  }
}
