import { refuse } from "../../kernel/errors.ts";
import { invalidBody } from "../../kernel/problems.ts";
import { principalHolds } from "../../kernel/role-permissions.ts";
import type { SlicePorts } from "../../kernel/slice.ts";
import { presentConnections } from "../admin/public.ts";
import { permissionOf } from "./install-calls.ts";
import type { InstallPreview, PlannedPart, PreviewInstallBody } from "./install-schemas.ts";
import type { ListingRow } from "./listing-store.ts";
import { manifestOf, permissionsIn, publisherBrief } from "./listing-view.ts";
import type { Looking } from "./names.ts";
import { keyChangeOf } from "./pinned-key.ts";
import { type PlannedCall, partKey } from "./plan.ts";
import { planFaults, planNew, readTarget, type Target, versionFaults } from "./prepare.ts";
import { findNewest, findVersion, type VersionRow } from "./version-store.ts";

/** What an install would make and ask for. */
export async function previewNew(
  ctx: Looking,
  ports: SlicePorts,
  listing: ListingRow,
  { version: asked, suffix = "", agent: named }: PreviewInstallBody,
): Promise<InstallPreview> {
  const agent = named ?? null;
  const target = await readTarget(ctx, listing, await previewedVersion(ctx, listing, asked));
  const settled = await planNew(ctx, target, { suffix, agent });
  const faults = [...versionFaults(ctx, target), ...planFaults(ctx, ports, target, { suffix, agent }, settled)];
  return {
    ...(await previewOf(ctx, target)),
    parts: plannedParts(ctx, ports, settled.plan, settled.taken),
    faults: faults.map(({ type, details }) => ({ code: type.code, detail: details.detail })),
  };
}

/** The version that a preview is asked for: by default the newest approved, or the newest while none is. */
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

/** What a preview says of the version itself, without parts. */
export async function previewOf(
  ctx: Looking,
  { listing, version, publisher, bundle }: Target,
): Promise<InstallPreview> {
  const { title, limits, requires } = manifestOf(version);
  const connections = await presentConnections(ctx, requires.connections);
  return {
    ...{ listing_id: listing.id, name: listing.name, title, kind: listing.kind },
    ...{ version: version.version, digest: version.digest },
    publisher: { ...publisherBrief(publisher), key_id: version.key_id },
    key_change: keyChangeOf(publisher, bundle.publisher),
    ...{ permissions: permissionsIn(version), permissions_digest: version.permissions_digest, difference: null },
    parts: [],
    connections: requires.connections.map((name) => ({ name, present: connections.has(name) })),
    ...{ scan: JSON.parse(version.scan_counts), limits: [...limits], faults: [] },
  };
}

/** The parts of a plan, with what each needs. */
export function plannedParts(
  ctx: Looking,
  ports: SlicePorts,
  plan: readonly PlannedCall[],
  taken: ReadonlySet<string>,
): PlannedPart[] {
  return [...Map.groupBy(plan, partKey)].map(([key, calls]) => {
    const { kind, name, file, action, operation } = calls[0] as PlannedCall;
    const permission = permissionOf(ports, operation);
    const permitted = action === "keep" || principalHolds(ctx.principal, permission);
    return { kind, name, file, action, operation, permission, permitted, taken: taken.has(key) };
  });
}
