import type { Schema } from "../../api/types.ts";
import { RelativeTime } from "../../ui/time.tsx";
import { ObjectName } from "./object-name.tsx";

interface PersonProps {
  readonly person: Schema<"AccountablePerson">;
  /** The object that is named above already. */
  readonly within?: string;
}

/** A person with what they did: the name, the deed, what it was done to, and when. */
export function Person({ person: { member, text, of, at }, within }: PersonProps) {
  return (
    <>
      <span className="font-medium">{member.name}</span>
      {member.kind === "service_account" ? " (service account)" : null} {text}
      {of === null || of === within ? null : (
        <>
          {" "}
          (<ObjectName object={of} />)
        </>
      )}
      {at === null ? null : (
        <>
          {" "}
          <RelativeTime time={at} className="text-muted" />
        </>
      )}
    </>
  );
}
