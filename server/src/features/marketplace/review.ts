import type { WriteContext } from "../../kernel/context.ts";
import { type Fault, refuse } from "../../kernel/errors.ts";
import { listingState, scanFindings } from "./errors.ts";
import { listingRecalled, listingReviewed } from "./events.ts";
import { type ListingRow, lockListing } from "./listing-store.ts";
import { listingDetail, manifestOf } from "./listing-view.ts";
import { stopInstallsJob } from "./recall-model.ts";
import { insertRecall, liftQuarantines } from "./recall-store.ts";
import { type Decision, stateAfter, versionsMeant } from "./review-model.ts";
import { approvesStrictly, refuseOwnReview } from "./reviewer.ts";
import type { ListingDetail, ReviewListingBody } from "./schemas.ts";
import { listVersionRows, settleListing, updateVersions, type VersionRow } from "./version-store.ts";
import type { ListingState, ScanCounts } from "./words.ts";

/** More versions than a listing has in practice. */
const everyVersion = { after: undefined, take: 10_000 } as const;

/** What the body alone does not say: an approval names what was reviewed. */
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

/** Carries a decision out: the versions, the listing, and what follows from it. Decisions on one listing go one after the other. */
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

/** The versions that a decision is about, at least one. */
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
  const { error } = JSON.parse(version.scan_counts) as ScanCounts;
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
  const told = { listing_id, name, title: manifestOf(newest).title, version: newest.version, reason, by };
  if (decision === "approve" || decision === "reject") {
    if (newest.state === "quarantined") await liftQuarantines(ctx, listing_id);
    return ctx.emit(listingReviewed, { ...told, decision });
  }
  const recall_id = ctx.newId("rcl");
  await insertRecall(ctx, { id: recall_id, kind: decision, listing_id, versions, reason });
  ctx.enqueue(stopInstallsJob(ctx.scope.organization, recall_id));
  ctx.emit(listingRecalled, { ...told, recall_id, kind: decision, versions: [...versions] });
}
