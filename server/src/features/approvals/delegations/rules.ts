import { isoTime } from "../../../kernel/clock.ts";
import type { Fault } from "../../../kernel/errors.ts";
import type { Principal, Role } from "../../../kernel/principal.ts";
import { roleGrants } from "../../../kernel/role-permissions.ts";
import { decidePermission } from "../requests/persons.ts";
import type { CreateDelegationBody, Delegation } from "./schemas.ts";

const day = 86_400_000;
/** Milliseconds that a delegation lasts at most, and may lie ahead. */
const longest = 366 * day;

/** A member as delegations know them: with their role in the environment, null where they have none or were removed. */
export interface Known {
  readonly id: string;
  readonly name: string;
  readonly kind: "person" | "service_account";
  readonly role: Role | null;
  readonly removed: boolean;
}

/** Somebody for whom the caller decides now. */
export interface StandIn {
  /** The delegation. */
  readonly id: string;
  /** Who is away. */
  readonly for: string;
  readonly name: string;
  readonly role: Role;
  /** Everybody accountable for the credential it was made with. */
  readonly accountable: readonly string[];
  readonly personal: boolean;
}

/** Faults of the dates and of who is named, as far as the body and the caller say. */
export function bodyFaults(
  { from, to, starts_at, ends_at }: CreateDelegationBody,
  { id, role }: Pick<Principal, "id" | "role">,
  now: number,
): Fault[] {
  const faults: Fault[] = [];
  const fault = (pointer: string, code: string, detail: string) => faults.push({ pointer, code, detail });
  const [start, end] = [starts_at === undefined ? now : Date.parse(starts_at), Date.parse(ends_at)];
  if (end <= start) fault("/ends_at", "ends_before_start", "is not after starts_at; give a later time");
  else if (end <= now) fault("/ends_at", "in_the_past", "has passed; give a time to come");
  else if (end - start > longest)
    fault("/ends_at", "too_long", "is more than 366 days after starts_at; end it earlier");
  if (start - now > longest) fault("/starts_at", "too_far_ahead", "is more than 366 days ahead; create it later");
  if ((from ?? id) === to) fault("/to", "cannot_decide", "is the person who is away; name another one");
  if (from !== undefined && from !== id && role !== "admin")
    fault("/from", "admins_only", "is somebody else; leave it out, or ask an admin");
  return faults;
}

/** Why somebody can neither be stood in for nor stand in; null: they can. `who` begins the sentence. */
export function whyNotDeciding(who: string, member: Known | undefined, environment: string): string | null {
  if (!member || member.removed) return `${who} is no member any more`;
  if (member.kind !== "person") return `${who} is a service account; only persons decide`;
  if (member.role !== null && roleGrants(member.role, decidePermission)) return null;
  return `${who} is ${member.role ?? "nothing"} in ${environment}, which does not include ${decidePermission}`;
}

interface Dated {
  readonly starts_at: Date;
  readonly ends_at: Date;
}

/** Whether a delegation is in force, and if it ended, why. */
export function stateOf(
  { starts_at, ends_at }: Dated,
  [from, to]: readonly [Known | undefined, Known | undefined],
  { now, environment }: { readonly now: number; readonly environment: string },
): Pick<Delegation, "state" | "ended_reason"> {
  const reason =
    ends_at.getTime() <= now
      ? `It ended at ${isoTime(ends_at)}.`
      : (whyNotDeciding(from?.name ?? "Who was away", from, environment) ??
        whyNotDeciding(to?.name ?? "Who stood in", to, environment));
  if (reason !== null) return { state: "ended", ended_reason: reason.endsWith(".") ? reason : `${reason}.` };
  return { state: starts_at.getTime() <= now ? "active" : "scheduled", ended_reason: null };
}
