import type { VerifiedBundle } from "@aos/bundle";
import { type Refusal, refuse } from "../../../kernel/errors.ts";
import { invalidBody } from "../../../kernel/problems.ts";
import { principalHolds } from "../../../kernel/role-permissions.ts";
import { decidesStrictly, presentConnections } from "../../admin/public.ts";
import { findKnownAgent } from "../../agents/public.ts";
import type { BundleContents } from "../bundles/contents.ts";
import { openBundle } from "../bundles/opened.ts";
import { listingState, namesTaken, partsNotPermitted, publisherKeyChanged } from "../errors.ts";
import type { ListingRow } from "../listings/resource.ts";
import {
  findNewest,
  findVersion,
  readBundleHash,
  readBundleText,
  type VersionRow,
  versionJson,
} from "../listings/version-store.ts";
import { manifestOf, permissionsIn, publisherBrief } from "../listings/view.ts";
import { keyChangeOf } from "../publishers/publishing-key.ts";
import type { PublisherRow } from "../publishers/resource.ts";
import { findPublisher } from "../publishers/store.ts";
import { type PlannedCall, partKey, permissionOf } from "./plan/calls.ts";
import { type Looking, type SettledPlan, settlePlan } from "./plan/names.ts";
import { planInstall } from "./plan/plan.ts";
import type { InstallPreview, PartKind, PlannedPart, PreviewInstallBody } from "./schemas.ts";
import { findInstallHere, listPartsElsewhere } from "./store.ts";

/** Longest names by kind. */
const longest: Partial<Record<PartKind, number>> = {
  agent: 40,
  knowledge_base: 64,
  dataset: 64,
  scorer: 64,
  workflow: 64,
  policy: 200,
};

/** Names that the suffix makes too long. */
export function nameFaults(plan: readonly PlannedCall[]): { readonly pointer: string; readonly detail: string }[] {
  const long = plan.find(({ kind, name }) => name.length > (longest[kind] ?? Number.POSITIVE_INFINITY));
  if (!long) return [];
  const { kind, name } = long;
  const detail = `makes the name of the ${kind.replace("_", " ")} ${name} longer than ${longest[kind]} characters; take a shorter one`;
  return [{ pointer: "/suffix", detail }];
}

export interface Target {
  readonly listing: ListingRow;
  readonly version: VersionRow;
  readonly publisher: PublisherRow;
  readonly bundle: VerifiedBundle;
  readonly contents: BundleContents;
}

/** Throws `bundle_refused` if the file is not what was submitted. */
export async function readTarget(ctx: Looking, listing: ListingRow, version: VersionRow): Promise<Target> {
  const publisher = (await findPublisher(ctx, listing.publisher_id)) as PublisherRow;
  const { bundle, contents } = await openBundle(await readBundleHash(ctx, version), () => readBundleText(ctx, version));
  return { listing, version, publisher, bundle, contents };
}

/** Names and agent of a new install. */
export interface Wanted {
  readonly suffix: string;
  readonly agent: string | null;
}

/** Against what exists here. */
export interface NewPlan extends SettledPlan {
  /** An install of this listing with the same suffix here. */
  readonly twin: string | null;
}

export async function planNew(ctx: Looking, { listing, version, contents }: Target, wanted: Wanted): Promise<NewPlan> {
  const plan = planInstall(contents, wanted);
  const same = { ...wanted, listing_id: listing.id, digest: version.digest };
  const twin = await findInstallHere(ctx, same);
  const settled = await settlePlan(ctx, plan, twin ? [] : await listPartsElsewhere(ctx, same));
  return { ...settled, twin: twin?.id ?? null };
}

/** Why a version cannot be installed here under any name. */
export function versionFaults(ctx: Looking, { version, publisher, bundle }: Target): Refusal[] {
  const faults: Refusal[] = [];
  if (version.state !== "approved")
    faults.push(refuse(listingState, `Version ${version.version} is ${version.state}${because(version.reason)}.`));
  else if (decidesStrictly(ctx) && !version.review_strict)
    faults.push(
      refuse(
        listingState,
        `Version ${version.version} was approved for development only: nobody who signed in personally approved it, and ${ctx.scope.environment} demands that.`,
      ),
    );
  if (keyChangeOf(publisher, bundle.publisher) === "foreign")
    faults.push(
      refuse(publisherKeyChanged, `${publisher.name} signed it with a key for which the accepted key does not vouch.`, {
        members: { publisher_id: publisher.id },
      }),
    );
  return faults;
}

const because = (reason: string | null): string => (reason ? ` (${reason.replace(/[.]$/, "")})` : "");

/** Why the parts cannot be made as asked. */
export function planFaults(ctx: Looking, { contents }: Target, wanted: Wanted, settled: NewPlan) {
  return [
    ...agentFaults(ctx, contents, wanted.agent),
    ...nameFaults(settled.plan).map(({ pointer, detail }) => invalid(pointer, "name_too_long", detail)),
    ...takenFaults(settled),
    ...permissionFaults(ctx, settled.plan),
  ];
}

const invalid = (pointer: string, code: string, detail: string): Refusal =>
  refuse(invalidBody, `${pointer}: ${detail}`, { errors: [{ pointer, code, detail }] });

/** Only tool sets and datasets need an existing agent. */
function agentFaults(ctx: Looking, { manifest: { kind } }: BundleContents, agent: string | null): Refusal[] {
  const needed = kind === "tool_set" || kind === "dataset";
  if (!needed && agent !== null)
    return [invalid("/agent", "not_applicable", `has no meaning for a bundle of the kind ${kind}; leave it out`)];
  if (!needed) return [];
  if (agent === null)
    return [invalid("/agent", "required", `is missing; name the agent that the ${kind.replace("_", " ")} is for`)];
  const known = findKnownAgent(ctx, agent);
  if (known && !known.archived) return [];
  return [invalid("/agent", "unknown_agent", known ? "names an agent that is archived" : "names no agent")];
}

export function takenFaults({ taken, twin }: NewPlan): Refusal[] {
  if (taken.size === 0 && twin === null) return [];
  const names = [...taken].map((key) => {
    const at = key.indexOf(":");
    return { kind: key.slice(0, at), name: key.slice(at + 1) };
  });
  const said = [
    ...(twin === null ? [] : [`It is installed here already, as ${twin}.`]),
    ...(taken.size === 0 ? [] : [`These exist already: ${names.map(wordsOf).join(", ")}.`]),
  ];
  return [refuse(namesTaken, said.join(" "), { members: { names } })];
}

const wordsOf = ({ kind, name }: { readonly kind: string; readonly name: string }): string =>
  `${kind.replaceAll("_", " ")} ${name}`;

/** Permissions of the calls that the caller lacks. */
function missingPermissions(ctx: Looking, plan: readonly PlannedCall[]): string[] {
  const needed = plan.filter(({ action }) => action !== "keep").map(({ operation }) => permissionOf(ctx, operation));
  return [...new Set(needed)].filter((permission) => !principalHolds(ctx.principal, permission)).sort();
}

export function permissionFaults(ctx: Looking, plan: readonly PlannedCall[]): Refusal[] {
  const permissions = missingPermissions(ctx, plan);
  if (permissions.length === 0) return [];
  return [refuse(partsNotPermitted, `The key lacks ${permissions.join(", ")}.`, { members: { permissions } })];
}

/** A new install. */
export async function previewNew(
  ctx: Looking,
  listing: ListingRow,
  { version: asked, suffix = "", agent: named }: PreviewInstallBody,
): Promise<InstallPreview> {
  const agent = named ?? null;
  const target = await readTarget(ctx, listing, await previewedVersion(ctx, listing, asked));
  const settled = await planNew(ctx, target, { suffix, agent });
  const faults = [...versionFaults(ctx, target), ...planFaults(ctx, target, { suffix, agent }, settled)];
  return {
    ...(await previewOf(ctx, target)),
    parts: plannedParts(ctx, settled.plan, settled.taken),
    faults: faults.map(({ type, details }) => ({ code: type.code, detail: details.detail })),
  };
}

/** By default the newest approved one, or the newest if none is. */
export async function previewedVersion(
  ctx: Looking,
  listing: ListingRow,
  asked: string | undefined,
): Promise<VersionRow> {
  if (asked === undefined) {
    const newest = (await findNewest(ctx, listing.id, "approved")) ?? (await findNewest(ctx, listing.id));
    return newest as VersionRow; // a listing comes into being with its first version
  }
  const version = await findVersion(ctx, listing.id, asked);
  if (version) return version;
  const detail = `names no version of ${listing.name}; GET /v1/marketplace/listings/${listing.id}/versions lists them`;
  throw refuse(invalidBody, `/version: ${detail}`, {
    errors: [{ pointer: "/version", code: "unknown_version", detail }],
  });
}

/** Without parts. */
export async function previewOf(
  ctx: Looking,
  { listing, version, publisher, bundle }: Target,
): Promise<InstallPreview> {
  const { title, limits, requires } = manifestOf(version);
  const connections = await presentConnections(ctx, requires.connections);
  return {
    listing_id: listing.id,
    name: listing.name,
    title,
    kind: listing.kind,
    version: version.version,
    digest: version.digest,
    publisher: { ...publisherBrief(publisher), key_id: version.key_id },
    key_change: keyChangeOf(publisher, bundle.publisher),
    permissions: permissionsIn(version),
    permissions_digest: version.permissions_digest,
    difference: null,
    parts: [],
    connections: requires.connections.map((name) => ({ name, present: connections.has(name) })),
    scan: versionJson(version, "scan_counts"),
    limits: [...limits],
    faults: [],
  };
}

export function plannedParts(ctx: Looking, plan: readonly PlannedCall[], taken: ReadonlySet<string>): PlannedPart[] {
  return [...Map.groupBy(plan, partKey)].map(([key, calls]) => {
    const { kind, name, file, action, operation } = calls[0] as PlannedCall;
    const permission = permissionOf(ctx, operation);
    const permitted = action === "keep" || principalHolds(ctx.principal, permission);
    return { kind, name, file, action, operation, permission, permitted, taken: taken.has(key) };
  });
}
