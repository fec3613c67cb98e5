import { organizationRows } from "../../../../db/organization-rows.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import type { FactsReader } from "../../../../kernel/facts.ts";
import type { Statements, Sweep } from "../../../../kernel/machines.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { findPublisher } from "../../publishers/store.ts";
import { submitBundle } from "../intake.ts";
import type { ListingRow } from "../resource.ts";
import { compareVersions } from "../rules.ts";
import { listStarters, packStarter, startersFolder } from "../starters.ts";
import { findListingNamed } from "../store.ts";
import { findNewest, settleListing, updateVersions } from "../version-store.ts";

interface AddStarter {
  readonly folder: string;
  readonly name: string;
}

interface AddedStarter {
  readonly listing: string | null;
}

/** Adds a starter as an approved listing, signed with the organization's key: its operator chose it with the service. Adds nothing if the organization has this version or a later one, a listing of its own of that name, or withdrew or recalled the starter. */
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
    const { listing: made, version } = await submitBundle(ctx, {
      ...bundle,
      origin: "starter",
      visibility: "public",
      listing,
    });
    const approved = {
      state: "approved" as const,
      reason: "Ships with the service.",
      review_strict: true,
      reviewed_by: ctx.principal.id,
      reviewed_at: new Date(ctx.now),
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

type Waiting = Map<string, string[]>;

/** Looks once in the life of a process for missing starters of every organization, then adds one in each pass, so that neither start nor other sweeps wait. One that fails is tried again at the next start. */
export function createStartersSweep(folder: string): Sweep {
  const waiting = new WeakMap<FactsReader, Waiting>();
  return {
    name: "marketplace.starters",
    async run({ db, inside, facts }) {
      const organizations = waiting.get(facts) ?? new Map<string, string[]>();
      waiting.set(facts, organizations);
      for (const organization of await listOrganizations(db)) {
        const names = organizations.get(organization) ?? (await missingIn(db, organization, folder));
        organizations.set(organization, names);
        const name = names.shift();
        if (name === undefined) continue;
        await inside(addStarter, { organization, environment: "development" }, { folder, name });
        return;
      }
    },
  };
}

export const startersSweep = createStartersSweep(startersFolder);

async function listOrganizations(db: Statements): Promise<string[]> {
  const rows = await db.query<{ organization: string }>(
    `select organization from ${organizationRows} organizations order by organization`,
  );
  return rows.map(({ organization }) => organization);
}

/** Starters whose version is not in the catalogue. */
async function missingIn(db: Statements, organization: string, folder: string): Promise<string[]> {
  const present = await db.query<{ name: string; version: string }>(
    `select l.name, v.version from marketplace_listings l
     join marketplace_versions v on v.organization = l.organization and v.listing_id = l.id
     where l.organization = $1 and l.origin = 'starter'`,
    [organization],
  );
  const known = new Set(present.map(({ name, version }) => `${name}@${version}`));
  return (await listStarters(folder))
    .filter(({ name, version }) => !known.has(`${name}@${version}`))
    .map(({ name }) => name);
}
