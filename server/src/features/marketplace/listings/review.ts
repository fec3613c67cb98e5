import { sql } from "../../../db/scoped.ts";
import { idsOf, storedDeciders } from "../../../kernel/actor.ts";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { participantOf } from "../../../kernel/principal.ts";
import { decidesStrictly } from "../../admin/public.ts";
import { noSecondPersonText, shareAPerson } from "../../approvals/requests/public.ts";
import { listingState, ownReview, scanFindings } from "../errors.ts";
import { listingRecalled, listingReviewed } from "../events.ts";
import { recalls } from "../recalls/resource.ts";
import { stopInstallsJob } from "../recalls/rules.ts";
import { liftQuarantines } from "../recalls/store.ts";
import type { ListingState } from "../schema-words.ts";
import type { ListingDetail, ReviewListingBody } from "../schemas.ts";
import type { ListingRow } from "./resource.ts";
import { lockListing } from "./store.ts";
import { listVersionRows, settleListing, updateVersions, type VersionRow, versionJson } from "./version-store.ts";
import { listingDetail, manifestOf } from "./view.ts";

type Reviewing = Pick<CallContext, "principal" | "facts" | "scope" | "personalSignIn" | "appUrl">;

/** Whether staging and production accept an approval by the caller. */
const approvesStrictly = ({ principal }: Pick<CallContext, "principal">): boolean =>
  principal.kind === "member" && principal.personal;

/** Submitters may not approve their own version (decision 0032). */
function refuseOwnReview(ctx: Reviewing, version: VersionRow): void {
  const why = barOf(ctx, version);
  if (why !== null) throw refuse(ownReview, why, { stage: "permissions" });
}

function barOf(ctx: Reviewing, row: VersionRow): string | null {
  const { version, submitted_by, deciders } = row;
  const { principal, personalSignIn, appUrl } = ctx;
  const { id, accountable } = participantOf(principal);
  const submitting = [submitted_by, ...versionJson(row, "submitters")];
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

// `recalled` and `rejected` are final.

export type Decision = ReviewListingBody["decision"];

/** What is installed of a withdrawn version can still be stopped. */
const transitions: Readonly<Record<Decision, { readonly from: readonly ListingState[]; readonly to: ListingState }>> = {
  approve: { from: ["submitted", "quarantined"], to: "approved" },
  reject: { from: ["submitted"], to: "rejected" },
  quarantine: { from: ["approved", "withdrawn"], to: "quarantined" },
  recall: { from: ["approved", "quarantined", "withdrawn"], to: "recalled" },
};

export interface Reviewed {
  readonly version: string;
  readonly digest: string;
  readonly state: ListingState;
  readonly review_strict: boolean;
}

/** Null: not possible. `strict`: as staging and production demand, which a weaker approval can be raised to. */
export function stateAfter(
  { state, review_strict }: Pick<Reviewed, "state" | "review_strict">,
  decision: Decision,
  strict = false,
): ListingState | null {
  const { from, to } = transitions[decision];
  const raised = decision === "approve" && state === "approved" && strict && !review_strict;
  return raised || from.includes(state) ? to : null;
}

export interface Named {
  readonly version?: string;
  readonly digest?: string;
}

/** Quarantines and recalls apply to all versions unless they name one; other decisions to one. `versions`: newest first. */
export function versionsMeant<V extends Reviewed>(
  versions: readonly V[],
  decision: Decision,
  { version, digest }: Named,
): readonly V[] {
  const named = versions.filter(
    (one) => (version === undefined || one.version === version) && (digest === undefined || one.digest === digest),
  );
  const stops = decision === "quarantine" || decision === "recall";
  if (version !== undefined || digest !== undefined) return named;
  if (stops) return versions.filter((one) => stateAfter(one, decision) !== null);
  return versions.filter(({ state }) => state === "submitted").slice(0, 1);
}

/** More versions than a listing has in practice. */
const everyVersion = { after: undefined, take: 10_000 } as const;

/** An approval names what was reviewed. */
export function reviewFaults({ decision, digest, accept_findings }: ReviewListingBody): Fault[] {
  const faults: Fault[] = [];
  if (decision === "approve" && digest === undefined)
    faults.push({
      pointer: "/digest",
      code: "required",
      detail: "is required to approve: the digest of what was read",
    });
  if (decision !== "approve" && accept_findings !== undefined)
    faults.push({ pointer: "/accept_findings", code: "not_allowed", detail: "applies to approvals; leave it out" });
  return faults;
}

/** Decisions on one listing are serialized. */
export async function review(ctx: WriteContext, id: string, body: ReviewListingBody): Promise<ListingDetail> {
  const listing = await lockListing(ctx, id);
  const versions = versionsFor(listing, await listVersionRows(ctx, id, everyVersion), body);
  const to = stateAfterAll(versions, body.decision, approvesStrictly(ctx));
  const [newest] = versions as [VersionRow];
  if (body.decision === "approve") permitApproval(ctx, newest, body);
  const names = versions.map(({ version }) => version);
  const reviewed_at = new Date(ctx.now);
  const by = { reviewed_by: ctx.principal.id, reviewed_at };
  const strictly = body.decision === "approve" ? { review_strict: approvesStrictly(ctx) } : {};
  await updateVersions(ctx, id, names, { state: to, reason: body.reason, ...by, ...strictly });
  const settled = await settleListing(ctx, id, { reviewed_at, ...(to === "approved" && { withdrawn_at: null }) });
  await follow(ctx, listing, newest, names, body);
  return listingDetail(ctx, settled);
}

/** Never empty. */
function versionsFor(listing: ListingRow, all: readonly VersionRow[], body: ReviewListingBody): readonly VersionRow[] {
  const { decision, version, digest } = body;
  const meant = versionsMeant(all, decision, body);
  if (meant.length > 0) return meant;
  const named = [version && `version ${version}`, digest && `the digest ${digest}`].filter(Boolean).join(" and ");
  const states = all.slice(0, 10).map((one) => `${one.version} is ${one.state}`);
  const detail = named
    ? `${listing.name} has no version with ${named}: ${states.join(", ")}.`
    : `No version of ${listing.name} can be ${verbs[decision]}: ${states.join(", ")}.`;
  throw refuse(listingState, detail);
}

const verbs = { approve: "approved", reject: "rejected", quarantine: "quarantined", recall: "recalled" } as const;

function stateAfterAll(versions: readonly VersionRow[], decision: Decision, strict: boolean): ListingState {
  const [state = null] = versions.map((one) => stateAfter(one, decision, strict));
  if (state !== null) return state;
  const [{ version, state: from }] = versions as [VersionRow];
  throw refuse(listingState, `Version ${version} is ${from}: it cannot be ${verbs[decision]}.`);
}

function permitApproval(ctx: WriteContext, version: VersionRow, { accept_findings }: ReviewListingBody): void {
  refuseOwnReview(ctx, version);
  const { error } = versionJson(version, "scan_counts");
  if (error === 0 || accept_findings) return;
  const found = `${error} ${error === 1 ? "error" : "errors"}`;
  throw refuse(
    scanFindings,
    `The scan of version ${version.version} found ${found}, and \`accept_findings\` is not set.`,
  );
}

async function follow(
  ctx: WriteContext,
  { id: listing_id, name }: ListingRow,
  newest: VersionRow,
  versions: readonly string[],
  { decision, reason }: ReviewListingBody,
): Promise<void> {
  const by = ctx.principal.id;
  const data = { listing_id, name, title: manifestOf(newest).title, version: newest.version, reason, by };
  if (decision === "approve" || decision === "reject") {
    if (newest.state === "quarantined") await liftQuarantines(ctx, listing_id);
    return ctx.emit(listingReviewed, { ...data, decision });
  }
  const recall_id = ctx.newId("rcl");
  const at = sql<Date>`clock_timestamp()`;
  await recalls.insert(ctx, { id: recall_id, kind: decision, listing_id, versions: [...versions], reason, by, at });
  ctx.enqueue(stopInstallsJob(ctx.scope.organization, recall_id));
  ctx.emit(listingRecalled, { ...data, recall_id, kind: decision, versions: [...versions] });
}
