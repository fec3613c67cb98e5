import { isoTime, timestamp } from "../../../kernel/clock.ts";
import type { CallContext } from "../../../kernel/context.ts";
import { decidesStrictly } from "../../admin/public.ts";
import { isRequestValid, type Releasing, releaseRequestedFor } from "./rules.ts";
import type { KillSwitch } from "./schemas.ts";
import type { KillSwitchRow } from "./store.ts";

/** The first person's word as it is stored, whether or not it still stands. */
export function askedOf({
  release_requested_by: by,
  release_requested_at: at,
  release_requested_to: to,
}: KillSwitchRow): Releasing["asked"] {
  return by === null || at === null || to === null ? null : { by, at: at.getTime(), to };
}

type Place = Pick<CallContext, "facts" | "scope" | "personalSignIn">;

/** Whether only words count that were given with credentials which their person took up personally. What acts everywhere acts in production. */
export const isStrict = (ctx: Place, { kind }: Pick<KillSwitchRow, "kind">): boolean =>
  kind === "all" || decidesStrictly(ctx);

/** What has to be set up before a kill switch can be released; null: nothing. */
export function releaseNeeds(ctx: Place, stop: Pick<KillSwitchRow, "kind" | "critical">): string | null {
  if (!stop.critical || ctx.personalSignIn || !isStrict(ctx, stop)) return null;
  return "Releasing it takes two persons who signed in personally, and nobody can here: neither OpenID Connect nor invitations with passkeys are set up. It stays engaged until the host's operator sets one of them up, as docs/operations/sign-in.md says, and restarts the service.";
}

export function killSwitchView(row: KillSwitchRow, ctx: Place & Pick<CallContext, "now">): KillSwitch {
  const { now } = ctx;
  const asked = row.released_at === null ? askedOf(row) : null;
  const standing = isRequestValid(asked, now) ? asked : null;
  return {
    kill_switch_id: row.id,
    environment: row.environment,
    kind: row.kind,
    target: row.target,
    mode: row.mode,
    critical: row.critical,
    state: row.released_at ? "released" : standing ? "release_requested" : "engaged",
    reason: row.reason,
    engaged_by: row.engaged_by,
    engaged_at: isoTime(row.engaged_at) as string,
    release_requested: standing && {
      by: standing.by,
      at: timestamp(standing.at),
      to: standing.to,
      reason: row.release_reason as string,
      expires_at: timestamp(standing.at + releaseRequestedFor),
    },
    release_requires: row.released_at ? null : releaseNeeds(ctx, row),
    release_reason: row.released_at ? row.release_reason : null,
    released_by: row.released_by,
    released_at: isoTime(row.released_at),
    tasks_ended: row.tasks_ended,
    time_to_stop_ms: row.last_ended_at && Math.max(0, row.last_ended_at.getTime() - row.engaged_at.getTime()),
  };
}
