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
import { type Decider, storableDeciders } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { participantOf } from "../../../kernel/principal.ts";
import { connectionPort } from "../../admin/public.ts";
import { policyFaults } from "../../governance/public.ts";
import type { PolicyBody } from "../../governance/schemas.ts";
import { type BundleContents, readContents } from "../bundles/contents.ts";
import { refuseFile } from "../bundles/contents-files.ts";
import { orRefuse, refusedBundle } from "../bundles/opened.ts";
import { type PackedBundle, packBundle, type SaidOfBundle } from "../bundles/packing.ts";
import { oneInvalid } from "../bundles/packing-words.ts";
import { asksOf, permissionsDigest, permissionsOf } from "../bundles/permissions.ts";
import type { ScanResult } from "../bundles/scan-thread.ts";
import { bundleScanner } from "../bundles/scanner.ts";
import { listingExists, notOwnListing } from "../errors.ts";
import { listingSubmitted } from "../events.ts";
import { acceptPublisher } from "../publishers/accept-publisher.ts";
import { ownPublisher } from "../publishers/publishing-key.ts";
import type { PublisherRow } from "../publishers/resource.ts";
import type { ListingPermission } from "../schema-words.ts";
import { type ListingRow, listingRows } from "./resource.ts";
import { compareVersions } from "./rules.ts";
import type { CreateListingVersionBody } from "./schemas.ts";
import { findListingNamed, lockListing } from "./store.ts";
import {
  findDigest,
  findNewest,
  insertVersion,
  listVersionStates,
  readBundleText,
  settleListing,
  type VersionRow,
} from "./version-store.ts";
import { manifestOf } from "./view.ts";

/** The listing as it is now, and the version that waits for review. */
interface TakenIn {
  readonly listing: ListingRow;
  readonly version: VersionRow;
}

interface About {
  /** Default: the listing's, or `private` for a new one. */
  readonly visibility?: "private" | "public" | undefined;
  /** For reviewers. */
  readonly note?: string | undefined;
  /** What is new, for installers. */
  readonly changes?: string | undefined;
  /** Adds a version to it; absent for a new listing. */
  readonly listing?: ListingRow | undefined;
}

export interface Submission extends About {
  /** With `bundle.json`, whose `permissions` are `asksOf(permissionsOf(contents))`. */
  readonly files: BundleFiles;
  readonly manifest: BundleManifest;
  /** Default `own`. */
  readonly origin?: "own" | "starter";
  /** Deciders of what is packed. */
  readonly deciders?: readonly Decider[];
}

/** Scans, signs and stores own work as a version that waits for review. Emits `listing.submitted`, except for a starter. Throws `bundle_refused` and `listing_exists`. */
export async function submitBundle(ctx: WriteContext, submission: Submission): Promise<TakenIn> {
  const { files, manifest, origin = "own", deciders = [], ...about } = submission;
  const permissions = checkedPermissions(files, manifest);
  refusePolicies(ctx, permissions.contents);
  const scan = await ctx.port(bundleScanner).scan(files, manifest);
  const { row, key } = await ownPublisher(ctx, ctx.port(connectionPort).credentialKey);
  const file = orRefuse(() =>
    signBundle({
      files,
      publisher: row.publisher,
      privateKey: key.privateKey,
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

/** Verifies, scans and stores a bundle of another installation as a version that waits for review. Emits `listing.submitted`. Throws `bundle_refused`, `publisher_key_changed` and `listing_exists`. */
export async function importBundle(ctx: WriteContext, given: Import): Promise<TakenIn> {
  const { file, ...about } = given;
  const bundle = orRefuse(() => verifyBundle(file));
  const permissions = checkedPermissions(bundle.files, bundle.manifest);
  refusePolicies(ctx, permissions.contents);
  const scan = await ctx.port(bundleScanner).scan(bundle.files, bundle.manifest);
  const publisher = await acceptPublisher(ctx, bundle.publisher);
  return takeIn(ctx, { bundle, text: file, publisher, origin: "imported", scan, permissions, about, deciders: [] });
}

interface Parts {
  readonly bundle: VerifiedBundle;
  readonly text: string;
  readonly publisher: PublisherRow;
  readonly origin: ListingRow["origin"];
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

/** Refuses a bundle whose `permissions` are not those of its files. */
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

/** Refuses policies whose conditions do not compile: an accepted bundle must not fail when it is installed. */
function refusePolicies(ctx: WriteContext, { policies }: BundleContents): void {
  for (const { file, policy } of policies) refuseFile(file, policyFaults(ctx, policy as PolicyBody));
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
      listing_id: listing.id,
      name: listing.name,
      title: manifest.title,
      version: version.version,
      by: ctx.principal.id,
    });
  return { listing: settled, version };
}

/** What a new version changes of its listing at once; of foreign bundles nothing before their review. */
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
  const now = new Date(ctx.now);
  const made = await listingRows.insertUnlessTaken(ctx, {
    id: ctx.newId("lst"),
    publisher_id,
    name,
    kind,
    origin: parts.origin,
    shown: version,
    state: "submitted",
    visibility: parts.about.visibility ?? "private",
    business_function: manifest.business_function ?? null,
    created_by: ctx.principal.id,
    created_at: now,
    updated_at: now,
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

/** Versions only go up, so that no update installs something older. */
async function refuseEarlier(ctx: WriteContext, { id }: ListingRow, version: string): Promise<void> {
  const newest = (await listVersionStates(ctx, id))
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
    version: manifest.version,
    digest: `sha256:${digest}`,
    state: "submitted" as const,
    note: about.note ?? null,
    changes: about.changes ?? null,
    readme: contents.readme,
    manifest: JSON.stringify(manifest),
    files: JSON.stringify(listed),
    permissions: JSON.stringify(asked),
    permissions_digest: permissions.digest,
    scorecard: contents.scorecard && JSON.stringify(contents.scorecard),
    scan: JSON.stringify(scan.sarif),
    scan_counts: JSON.stringify(scan.counts),
    scanned_at: new Date(ctx.now),
    file: text,
    bytes: Buffer.byteLength(text),
    key_id: publisher.keys.at(-1)?.key_id as string,
    signed_at: new Date(statement.predicate.source.created_at),
    submitted_by: ctx.principal.id,
    submitters: JSON.stringify(participantOf(ctx.principal).accountable),
    deciders: storableDeciders(deciders),
  };
}

/** A file of 8,000,000 characters as JSON text, and the other members. */
export const SUBMISSION_BYTES = 9 * 1024 * 1024;

/** Members that a file does not contain. */
const besidesFile = new Set(["file", "visibility", "note"]);

/** Faults that the schema cannot express: either `source` with its members, or `file` alone. */
export function submissionFaults(body: Readonly<Record<string, unknown>>, needed: readonly string[]): Fault[] {
  if (body.file === undefined && body.source === undefined)
    return [{ pointer: "/source", code: "required", detail: "is required; or give a bundle's text as `file`" }];
  if (body.file === undefined)
    return needed.flatMap((name) =>
      body[name] === undefined
        ? [{ pointer: `/${name}`, code: "required", detail: "is required with `source`; add it" }]
        : [],
    );
  return Object.keys(body).flatMap((name) =>
    besidesFile.has(name) || body[name] === undefined
      ? []
      : [
          {
            pointer: `/${name}`,
            code: "not_together",
            detail: "does not go together with `file`, which says it itself",
          },
        ],
  );
}

/** What the body leaves out stays as in the newest version. */
export async function packNext(
  ctx: WriteContext,
  listing: ListingRow,
  body: CreateListingVersionBody,
): Promise<PackedBundle> {
  refuseOthers(listing);
  const { source, version, title, summary, business_function, license, readme, limits, requires, data } = body;
  if (!source || version === undefined) throw oneInvalid("/source", "required", "is required, with `version`");
  if (source.kind !== listing.kind) {
    const detail = `is ${source.kind}, and the listing is of kind ${listing.kind}; submit it as a listing of its own`;
    throw oneInvalid("/source/kind", "another_kind", detail);
  }
  const before = (await findNewest(ctx, listing.id)) as VersionRow;
  const manifest = manifestOf(before);
  const said: SaidOfBundle = {
    name: listing.name,
    version,
    title: title ?? manifest.title,
    summary: summary ?? manifest.summary,
    business_function: business_function ?? listing.business_function ?? undefined,
    license: license ?? manifest.license,
    readme: readme ?? before.readme ?? undefined,
    limits: limits ?? manifest.limits,
    requires: requires ?? manifest.requires.notes,
    data,
    dataBefore: await dataIn(ctx, before),
  };
  return packBundle(ctx, source, said);
}

function refuseOthers({ id, name, origin }: ListingRow): void {
  if (origin === "own") return;
  const whose = origin === "starter" ? "comes with the service" : "is another publisher's";
  const remedy = "Give its publisher's file as `file`, or submit your work as a listing of its own.";
  throw refuse(notOwnListing, `${name} (${id}) ${whose}. ${remedy}`, { members: { listing_id: id } });
}

/** Descriptions of a version's datasets. */
async function dataIn(ctx: WriteContext, version: VersionRow): Promise<Record<string, string>> {
  const { files, manifest } = verifyBundle(await readBundleText(ctx, version));
  return Object.fromEntries(readContents(files, manifest).datasets.map(({ name, data }) => [name, data]));
}
