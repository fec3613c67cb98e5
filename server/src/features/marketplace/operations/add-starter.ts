import type { WriteContext } from "../../../kernel/context.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { intakePorts, submitBundle } from "../intake.ts";
import { findListingNamed, type ListingRow } from "../listing-store.ts";
import { compareVersions } from "../model.ts";
import { findPublisher } from "../publisher-store.ts";
import { packStarter } from "../starters.ts";
import { findNewest, settleListing, updateVersions } from "../version-store.ts";

export interface AddStarter {
  /** Where the starters are. */
  readonly folder: string;
  readonly name: string;
}

/** Null: nothing was added. */
export interface AddedStarter {
  readonly listing: string | null;
}

/**
 * Puts a starter into the organization's catalogue, signed with its key and approved: it ships with the service, whose operator chose it. Adds nothing where the
 * organization has this version or a later one, has a listing of its own of that name, or withdrew or recalled the starter.
 */
export const addStarter: InsideOperation<AddStarter, AddedStarter> = defineInside({
  id: "marketplace.addStarter",
  summary: "Add a starter to the catalogue",
  permission: exempt("a machine of the service itself"),
  load: exempt("names no object; makes one"),
  gate: exempt("makes no agent act"),
  compliance: exempt("whoever installs the service chooses what ships with it"),
  audit: ({ params }) => `starter:${params.name}`,
  async handle(ctx, { params: { folder, name } }) {
    const bundle = await packStarter(folder, name);
    const listing = await presentListing(ctx, name);
    if (listing && !(await takesVersion(ctx, listing, bundle.manifest.version))) return { listing: null };
    const { listing: made, version } = await submitBundle(ctx, intakePorts.of(ctx), {
      ...bundle,
      ...{ origin: "starter", visibility: "public", listing },
    });
    const approved = {
      ...{ state: "approved" as const, reason: "Ships with the service.", review_strict: true },
      ...{ reviewed_by: ctx.principal.id, reviewed_at: new Date(ctx.now) },
    };
    await updateVersions(ctx, made.id, [version.version], approved);
    await settleListing(ctx, made.id, { reviewed_at: new Date(ctx.now) });
    return { listing: made.id };
  },
});

async function presentListing(ctx: WriteContext, name: string): Promise<ListingRow | undefined> {
  const own = await findPublisher(ctx, "own");
  return own && findListingNamed(ctx, own.id, name);
}

async function takesVersion(ctx: WriteContext, listing: ListingRow, version: string): Promise<boolean> {
  if (listing.origin !== "starter" || listing.state !== "approved") return false;
  const newest = await findNewest(ctx, listing.id);
  return newest === undefined || compareVersions(version, newest.version) > 0;
}
