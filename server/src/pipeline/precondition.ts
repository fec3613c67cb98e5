import { refuse } from "../kernel/errors.ts";
import { ifMatchHolds, parseTagList } from "../kernel/etag.ts";
import { invalidHeader, preconditionRequired, staleRevision } from "../kernel/problems.ts";

/** Tags of every representation of a revision name it: who read the YAML form may change by the JSON form. */
const representations = ["json", "yaml"];

/** Whether a call says which revision it is based on: `*` is content with any. */
export const namesRevision = (ifMatch: string | null): boolean => ifMatch !== null && ifMatch.trim() !== "*";

/** Holds a change to the revision that its caller saw (RFC 9110, section 13.1.1): 428 without If-Match, 412 where it was changed in between. */
export function checkPrecondition(ifMatch: string | null, current: string | number): void {
  if (ifMatch === null)
    throw refuse(preconditionRequired, "Send the ETag that you read as If-Match, so that no other change is lost.");
  const read = parseTagList(ifMatch, "If-Match");
  if (!read.ok) throw refuse(invalidHeader, `If-Match: ${read.fault.detail}`, { errors: [read.fault] });
  if (!ifMatchHolds(read.list, current, representations)) {
    throw refuse(
      staleRevision,
      "It was changed since you read it; read it again and repeat the change on what is there now.",
    );
  }
}
