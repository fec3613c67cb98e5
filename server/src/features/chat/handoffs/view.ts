import type { CallContext } from "../../../kernel/context.ts";
import { opensAt, teamFacts } from "../../admin/public.ts";
import type { ConversationRow } from "../conversations/store.ts";
import type { Handoff } from "../schemas.ts";
import type { StoredHandoff } from "./rules.ts";

/** A hand-over with what is true of it now: its place in the queue, and when its team opens. */
export function handoffView(
  { facts, scope, now }: Pick<CallContext, "facts" | "scope" | "now">,
  { handoff, position }: Pick<ConversationRow, "handoff" | "position">,
): Handoff | null {
  const stored = handoff as StoredHandoff | null;
  if (stored === null) return null;
  const { team: name = null, cause = "caller", reminded_at: _reminded, ...rest } = stored;
  const team = name === null ? undefined : facts.get(teamFacts).find(scope, name);
  const opens = team && stored.taken_at === null ? opensAt(team.hours, now) : null;
  return {
    ...rest,
    team: name,
    team_title: team?.title ?? name,
    cause,
    position: stored.taken_at === null ? position : null,
    opens_at: opens ? new Date(opens).toISOString() : null,
  };
}
