import { type Refusal, refuse } from "./errors.ts";
import { staleRevision } from "./problems.ts";

/** Refuses a change whose caller named a revision (If-Match) that somebody changed before this call had its lock. */
export const changedMeanwhile = (): Refusal =>
  refuse(staleRevision, "It was changed since you read it; read it again and repeat the change on what is there now.");
