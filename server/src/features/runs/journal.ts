import type { Statements } from "../../kernel/machines.ts";
import { type Patience, retryTransient } from "../../kernel/transient.ts";
import {
  insertStep,
  isJournalled,
  type LeaseKey,
  type NewStep,
  type StepEnding,
  type StepState,
  updateStepEnd,
} from "./step-store.ts";

// Writes of the journal that outlast a passing fault of the database. One whose answer was lost is looked for before it is made again, so that it counts once.

interface Written {
  readonly id: string;
  readonly state: StepState;
}

function journalled(
  db: Statements,
  lease: LeaseKey,
  { id, state }: Written,
  write: () => Promise<boolean>,
  patience?: Patience,
): Promise<boolean> {
  let tried = false;
  return retryTransient(async () => {
    if (tried && (await isJournalled(db, lease, id, state))) return true;
    tried = true;
    return write();
  }, patience);
}

/** Writes a step down that begins or is over. False where the lease is lost. */
export function addStep(db: Statements, lease: LeaseKey, step: NewStep, patience?: Patience): Promise<boolean> {
  return journalled(
    db,
    lease,
    { id: step.id, state: step.state ?? "started" },
    () => insertStep(db, lease, step),
    patience,
  );
}

/** Writes how a step ended. False where the lease is lost, or the step has ended otherwise. */
export function endStepOf(
  db: Statements,
  lease: LeaseKey,
  id: string,
  end: StepEnding,
  patience?: Patience,
): Promise<boolean> {
  return journalled(db, lease, { id, state: end.state }, () => updateStepEnd(db, lease, id, end), patience);
}
