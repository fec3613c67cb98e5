import { idsOf, storedDeciders } from "../../kernel/actor.ts";
import type { CallContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { participantOf } from "../../kernel/principal.ts";
import { decidesStrictly } from "../admin/public.ts";
import { noSecondPersonText, shareAPerson } from "../approvals/requests/public.ts";
import { ownReview } from "./errors.ts";
import type { VersionRow } from "./version-store.ts";

type Reviewing = Pick<CallContext, "principal" | "facts" | "scope" | "personalSignIn" | "appUrl">;

/** Whether an approval by the caller is one that staging and production accept. */
export const approvesStrictly = ({ principal }: Pick<CallContext, "principal">): boolean =>
  principal.kind === "member" && principal.personal;

/** Refuses an approval by whoever submitted the version, or is no second person to them (decision 0032). */
export function refuseOwnReview(ctx: Reviewing, version: VersionRow): void {
  const why = barOf(ctx, version);
  if (why !== null) throw refuse(ownReview, why, { stage: "permissions" });
}

function barOf(ctx: Reviewing, { version, submitted_by, submitters, deciders }: VersionRow): string | null {
  const { principal, personalSignIn, appUrl } = ctx;
  const { id, accountable } = participantOf(principal);
  const submitting = [submitted_by, ...(JSON.parse(submitters) as string[])];
  const takes = `Approving version ${version} takes a second person`;
  if (principal.kind !== "member") return `${takes}, and the key acts for no person.`;
  if (submitted_by === id) return `${takes}, and you submitted it. Ask another member who may review listings.`;
  if (shareAPerson(submitting, accountable))
    return `${takes}, and whoever submitted it could have used this credential, or you theirs. Ask somebody with an independent one.`;
  if (shareAPerson(idsOf(storedDeciders(deciders)), accountable))
    return `${takes}, and you changed what it packs, or whoever did could have used this credential. Ask another member who may review listings.`;
  if (principal.personal || !decidesStrictly(ctx)) return null;
  if (!personalSignIn) return noSecondPersonText(takes);
  return `${takes}, and others could have used this credential. Sign in at ${appUrl}/sign-in by OpenID Connect or with a passkey, and approve it there.`;
}
