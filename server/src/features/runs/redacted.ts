import type { Reader } from "../../kernel/db.ts";
import type { Seals } from "../../kernel/seals.ts";
import { type RedactDemand, united } from "../../kernel/verdict.ts";
import { argumentsOfCalls } from "../approvals/requests/public.ts";
import { stepNotIntact } from "../tasks/public.ts";
import type { Failure } from "../tasks/schemas.ts";
import type { Redactions } from "./redactions.ts";
import { type LeaseKey, listRunSteps, type StepEnding, type StoredStep } from "./step-store.ts";

// What a run and its journal get to see: placeholders for the personal data that policies keep from it.

type Arguments = Readonly<Record<string, unknown>>;

export interface Showing {
  readonly redactions: Redactions;
  readonly seals: Seals;
  /** What of their input runs get as placeholders only. */
  readonly atStart: WeakMap<LeaseKey, RedactDemand>;
}

/** The journal as the loop gets it: what people answered, and edited, is input too. Null where the lease is lost. */
export async function shownJournal(showing: Showing, db: Reader, lease: LeaseKey): Promise<Shown[] | null> {
  const steps = (await listRunSteps(db, lease, showing.seals)).map(asItHolds);
  const ids = steps.flatMap(({ edit_approval_id }) => edit_approval_id ?? []);
  const edits = ids.length === 0 ? null : await argumentsOfCalls(db, lease.scope, ids);
  const shown: Shown[] = [];
  for (const step of steps) {
    const edited = step.edit_approval_id === null ? undefined : edits?.get(step.edit_approval_id);
    const answer = step.name === "ask" && step.output !== null ? step.output : undefined;
    const seen =
      edited === undefined && answer === undefined ? {} : await shownInput(showing, lease, { edited, output: answer });
    if (seen === null) return null;
    shown.push({ ...step, ...Object.fromEntries(Object.entries(seen).filter(([, value]) => value !== undefined)) });
  }
  return shown;
}

/** A step whose answer was changed in the database ended in a way that is not known: a write is asked about, anything else is made again. */
const asItHolds = ({ intact, ...step }: StoredStep): Shown =>
  intact
    ? step
    : { ...step, state: step.kind === "tool" ? "unknown" : "started", output: null, failure: stepNotIntact };
type Shown = Omit<StoredStep, "intact"> & { readonly edited?: Arguments };

/** Something that people put into a run, as it gets it: with placeholders for what of its input it gets as placeholders only. Null where the lease is lost. */
export async function shownInput<T>({ redactions, atStart }: Showing, lease: LeaseKey, input: T): Promise<T | null> {
  const demand = atStart.get(lease);
  if (!demand) return input;
  const redacted = await redactions.redact(lease, demand, input);
  return redacted && (redacted.value as T);
}

/**
 * How a step ended, as the run and the journal may see it: `demand` says it of what was found; of a failure also what says it of the run's input, since it
 * may repeat what the call was made with. Null where the lease is lost.
 */
export async function shownEnd(
  showing: Showing,
  lease: LeaseKey,
  demand: RedactDemand | undefined,
  end: StepEnding,
): Promise<StepEnding | null> {
  const { redactions, atStart } = showing;
  if (end.failure) {
    const failure = await shownFailure(redactions, lease, [demand, atStart.get(lease)], end.failure);
    return failure && { ...end, failure };
  }
  if (!demand || end.output === undefined) return end;
  const redacted = await redactions.redact(lease, demand, end.output);
  return redacted && { ...end, output: redacted.value };
}

/** A failure without what the demands name, and without what stands behind the run's placeholders. Null where the lease is lost. */
export async function shownFailure(
  redactions: Redactions,
  lease: LeaseKey,
  demands: readonly (RedactDemand | undefined)[],
  { code, detail }: Failure,
): Promise<Failure | null> {
  const hidden = redactions.hide(lease, detail);
  const demand = demands.reduce<RedactDemand | null>((all, one) => (one ? united(all, one) : all), null);
  if (demand === null) return { code, detail: hidden };
  const redacted = await redactions.redact(lease, demand, hidden);
  return redacted && { code, detail: String(redacted.value) };
}
