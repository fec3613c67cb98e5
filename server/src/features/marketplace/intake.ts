import {
  type BundleFiles,
  type BundleManifest,
  bundleText,
  digestOf,
  signBundle,
  type VerifiedBundle,
  verifyBundle,
} from "@aos/bundle";
import { canonicalJson } from "@aos/strict-json";
import { type Decider, storableDeciders } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { participantOf } from "../../kernel/principal.ts";
import { defineServicePort } from "../../kernel/service-port.ts";
import type { SlicePorts } from "../../kernel/slice.ts";
import { policyFaults } from "../governance/public.ts";
import type { PolicyBody } from "../governance/schemas.ts";
import { acceptPublisher } from "./accept-publisher.ts";
import { type BundleContents, readContents } from "./contents.ts";
import { refuseFile } from "./contents-files.ts";
import { listingExists } from "./errors.ts";
import { listingSubmitted } from "./events.ts";
import { orRefuse, refusedBundle } from "./faults.ts";
import { findListingNamed, insertListing, type ListingOrigin, type ListingRow, lockListing } from "./listing-store.ts";
import { compareVersions } from "./model.ts";
import { asksOf, permissionsDigest, permissionsOf } from "./permissions.ts";
import type { PublisherRow } from "./publisher-store.ts";
import { ownPublisher } from "./publishing-key.ts";
import type { ScanResult } from "./scanning.ts";
import { findDigest, insertVersion, listStandings, settleListing, type VersionRow } from "./version-store.ts";
import type { ListingPermission } from "./words.ts";

export type IntakePorts = Pick<SlicePorts, "bundleScanner" | "connections" | "policies">;

/** The same for what the service itself takes in. */
export const intakePorts = defineServicePort<IntakePorts>("intakePorts");

/** What an intake makes: the listing as it stands then, and the version that waits for review. */
export interface TakenIn {
  readonly listing: ListingRow;
  readonly version: VersionRow;
}

interface About {
  /** Default: as the listing has it; of a new listing `private`. */
  readonly visibility?: "private" | "public" | undefined;
  /** For whoever reviews it. */
  readonly note?: string | undefined;
  /** What is new, for whoever updates. */
  readonly changes?: string | undefined;
  /** The listing whose version it has to be; left out: it makes one. */
  readonly listing?: ListingRow | undefined;
}

export interface Submission extends About {
  /** With `bundle.json`, whose `permissions` are `asksOf(permissionsOf(contents))`. */
  readonly files: BundleFiles;
  readonly manifest: BundleManifest;
  /** Default `own`. */
  readonly origin?: "own" | "starter";
  /** Who decided what is packed. */
  readonly deciders?: readonly Decider[];
}

/**
 * Takes own work in: scans it, signs it with the organization's key, and stores it as a version that waits for review. Emits `listing.submitted`, but not of a
 * starter, for which nobody has to do anything. Throws `bundle_refused` and `listing_exists`.
 */
export async function submitBundle(ctx: WriteContext, ports: IntakePorts, submission: Submission): Promise<TakenIn> {
  const { files, manifest, origin = "own", deciders = [], ...about } = submission;
  const permissions = checkedPermissions(files, manifest);
  refusePolicies(ctx, ports, permissions.contents);
  const scan = await ports.bundleScanner.scan(files, manifest);
  const { row, publisher, key } = await ownPublisher(ctx, ports.connections.credentialKey);
  const file = orRefuse(() =>
    signBundle({
      ...{ files, publisher, privateKey: key.privateKey },
      scan: { tool_version: scan.tool_version, findings: scan.counts },
      source: { installation: new URL(ctx.appUrl).host, created_at: new Date(ctx.now).toISOString() },
    }),
  );
  return takeIn(ctx, {
    bundle: verifyBundle(file),
    text: bundleText(file),
    publisher: row,
    origin,
    scan,
    permissions,
    about,
    deciders,
  });
}

export interface Import extends Omit<About, "changes"> {
  /** The text of an `.aosbundle` file. */
  readonly file: string;
}

/**
 * Takes a bundle of another installation in: verifies it, holds its publisher's key against the accepted one, scans it, and stores it as a version that waits
 * for review. Emits `listing.submitted`. Throws `bundle_refused`, `publisher_key_changed` and `listing_exists`.
 */
export async function importBundle(ctx: WriteContext, ports: IntakePorts, given: Import): Promise<TakenIn> {
  const { file, ...about } = given;
  const bundle = orRefuse(() => verifyBundle(file));
  const permissions = checkedPermissions(bundle.files, bundle.manifest);
  refusePolicies(ctx, ports, permissions.contents);
  const scan = await ports.bundleScanner.scan(bundle.files, bundle.manifest);
  const publisher = await acceptPublisher(ctx, bundle.publisher);
  return takeIn(ctx, { bundle, text: file, publisher, origin: "imported", scan, permissions, about, deciders: [] });
}

interface Parts {
  readonly bundle: VerifiedBundle;
  readonly text: string;
  readonly publisher: PublisherRow;
  readonly origin: ListingOrigin;
  readonly scan: ScanResult;
  readonly permissions: Checked;
  readonly about: About;
  readonly deciders: readonly Decider[];
}

interface Checked {
  readonly contents: BundleContents;
  readonly asked: readonly ListingPermission[];
  readonly digest: string;
}

/** What the files ask for. Refuses a bundle that says something else of itself. */
function checkedPermissions(files: BundleFiles, manifest: BundleManifest): Checked {
  const contents = readContents(files, manifest);
  const asked = permissionsOf(contents);
  const digest = permissionsDigest(asked);
  if (canonicalJson(manifest.permissions) !== canonicalJson(asksOf(asked))) {
    const detail =
      "bundle.json lists other permissions than its files ask for. The list is computed when a bundle is packed; pack it again.";
    throw refusedBundle("permissions_differ", { part: "bundle.json", at: "/permissions/asks" }, detail);
  }
  return { contents, asked, digest };
}

/** Refuses policies whose conditions do not compile here: nothing of a bundle that is taken in fails when it is installed. */
function refusePolicies(ctx: WriteContext, ports: IntakePorts, { policies }: BundleContents): void {
  for (const { file, policy } of policies) refuseFile(file, policyFaults(ports.policies, ctx, policy as PolicyBody));
}

async function takeIn(ctx: WriteContext, parts: Parts): Promise<TakenIn> {
  const { manifest } = parts.bundle;
  await refuseKnown(ctx, parts.bundle);
  const { listing, isNew } = await listingFor(ctx, parts);
  if (!isNew) await refuseEarlier(ctx, listing, manifest.version);
  const version = await insertVersion(ctx, { ...versionRow(ctx, parts), listing_id: listing.id });
  if (!version) throw exists(listing.id, "The same bundle was submitted just now.");
  const settled = isNew ? listing : await settleListing(ctx, listing.id, offered(listing, parts));
  if (parts.origin !== "starter")
    ctx.emit(listingSubmitted, {
      ...{ event: "listing.submitted", listing_id: listing.id, name: listing.name, title: manifest.title },
      ...{ version: version.version, by: ctx.principal.id },
    });
  return { listing: settled, version };
}

/** What a new version changes of its listing at once: strangers' bundles, nothing before they are reviewed. */
function offered(listing: ListingRow, { about, origin, bundle }: Parts) {
  const { business_function = listing.business_function } = bundle.manifest;
  const said = origin === "imported" ? {} : { business_function };
  return { withdrawn_at: null, ...said, ...(about.visibility && { visibility: about.visibility }) };
}

const exists = (listing_id: string, detail: string) => refuse(listingExists, detail, { members: { listing_id } });

async function refuseKnown(ctx: WriteContext, { digest }: VerifiedBundle): Promise<void> {
  const known = await findDigest(ctx, `sha256:${digest}`);
  if (!known) return;
  const { listing_id, version, state } = known;
  const detail = `This bundle is there already, as version ${version} of ${listing_id}: it is ${state}.`;
  throw refuse(listingExists, detail, { members: { listing_id, version, state } });
}

async function listingFor(ctx: WriteContext, parts: Parts): Promise<{ listing: ListingRow; isNew: boolean }> {
  const { manifest } = parts.bundle;
  const { name, kind, version } = manifest;
  const { id: publisher_id } = parts.publisher;
  const wanted = parts.about.listing;
  if (wanted) {
    if (wanted.publisher_id !== publisher_id || wanted.name !== name || wanted.kind !== kind)
      throw anotherListing(wanted, parts);
    return { listing: await lockListing(ctx, wanted.id), isNew: false };
  }
  const made = await insertListing(ctx, {
    ...{ id: ctx.newId("lst"), publisher_id, name, kind, origin: parts.origin, shown: version, state: "submitted" },
    ...{ visibility: parts.about.visibility ?? "private", business_function: manifest.business_function ?? null },
  });
  if (made) return { listing: made, isNew: true };
  const { id } = (await findListingNamed(ctx, publisher_id, name)) as ListingRow;
  throw exists(id, `${parts.publisher.name} has a listing ${name} already: ${id}. Submit this as a new version of it.`);
}

const anotherListing = ({ id, name, kind }: ListingRow, { bundle, publisher }: Parts) =>
  refusedBundle(
    "listing_differs",
    { part: "bundle.json", at: "/name" },
    `The bundle is the ${bundle.manifest.kind} ${bundle.manifest.name} of ${publisher.name}, and ${id} is the ${kind} ${name}. Submit it as a listing of its own.`,
  );

/** Versions only go up: what is installed would else be updated to something older. */
async function refuseEarlier(ctx: WriteContext, { id }: ListingRow, version: string): Promise<void> {
  const newest = (await listStandings(ctx, id))
    .map((one) => one.version)
    .sort(compareVersions)
    .at(-1) as string;
  if (compareVersions(version, newest) <= 0)
    throw exists(id, `${id} has the version ${newest}; a new version has a higher number than that.`);
}

function versionRow(ctx: WriteContext, { bundle, text, scan, permissions, about, deciders }: Parts) {
  const { manifest, digest, files, statement, publisher } = bundle;
  const { contents, asked } = permissions;
  const listed = [...files].map(([path, bytes]) => ({ path, bytes: bytes.length, digest: digestOf(bytes) }));
  return {
    ...{ version: manifest.version, digest: `sha256:${digest}`, state: "submitted" as const },
    ...{ note: about.note ?? null, changes: about.changes ?? null, readme: contents.readme },
    ...{ manifest: JSON.stringify(manifest), files: JSON.stringify(listed) },
    ...{ permissions: JSON.stringify(asked), permissions_digest: permissions.digest },
    scorecard: contents.scorecard && JSON.stringify(contents.scorecard),
    ...{ scan: JSON.stringify(scan.sarif), scan_counts: JSON.stringify(scan.counts), scanned_at: new Date(ctx.now) },
    ...{ file: text, bytes: Buffer.byteLength(text), key_id: publisher.keys.at(-1)?.key_id as string },
    signed_at: new Date(statement.predicate.source.created_at),
    submitted_by: ctx.principal.id,
    submitters: JSON.stringify(participantOf(ctx.principal).accountable),
    deciders: storableDeciders(deciders),
  };
}
