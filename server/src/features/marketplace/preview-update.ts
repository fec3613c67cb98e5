import { refuse } from "../../kernel/errors.ts";
import { invalidBody } from "../../kernel/problems.ts";
import type { SlicePorts } from "../../kernel/slice.ts";
import { installState, localChanges } from "./errors.ts";
import type { InstallPreview } from "./install-schemas.ts";
import { consentOf, findInstall, type InstallRow } from "./install-store.ts";
import type { ListingRow } from "./listing-store.ts";
import { permissionsIn } from "./listing-view.ts";
import { compareVersions } from "./model.ts";
import type { Looking } from "./names.ts";
import { permissionDifference } from "./permissions.ts";
import { permissionFaults, readTarget, type Target, takenFaults, versionFaults } from "./prepare.ts";
import { plannedParts, previewedVersion, previewOf } from "./preview.ts";
import { type PlannedUpdate, plannedUpdate } from "./update.ts";

/** What an update of an install would change, and ask for beyond what it may do now. */
export async function previewUpdate(
  ctx: Looking,
  ports: SlicePorts,
  listing: ListingRow,
  { install: id, version: asked }: { readonly install: string; readonly version?: string },
): Promise<InstallPreview> {
  const install = await findInstall(ctx, id);
  if (install?.listing_id !== listing.id) throw unknownInstall(listing, ctx.scope.environment);
  const target = await readTarget(ctx, listing, await previewedVersion(ctx, listing, asked));
  const planned = await plannedUpdate(ctx, install, target);
  const faults = [
    ...standingFaults(install, target, planned),
    ...versionFaults(ctx, target),
    ...takenFaults({ plan: planned.plan, taken: planned.taken, twin: null }),
    ...permissionFaults(ctx, ports, planned.plan),
  ];
  return {
    ...(await previewOf(ctx, target)),
    difference: permissionDifference(consentOf(install).permissions, permissionsIn(target.version)),
    parts: plannedParts(ctx, ports, planned.plan, planned.taken),
    faults: faults.map(({ type, details }) => ({ code: type.code, detail: details.detail })),
  };
}

/** Why the install cannot be brought to this version. */
function standingFaults(install: InstallRow, { version: { version } }: Target, { overwritten }: PlannedUpdate) {
  if (install.state === "removed") return [refuse(installState, "The install was removed.")];
  const newer = compareVersions(version, install.version);
  if (newer === 0) return [refuse(installState, `Version ${version} is installed already.`)];
  if (newer < 0)
    return [refuse(installState, `Version ${version} is older than ${install.version}, which is installed.`)];
  if (overwritten.length === 0) return [];
  const names = overwritten.map(({ kind, name }) => `${kind.replaceAll("_", " ")} ${name}`);
  const detail = `Changed since the install: ${names.join(", ")}. Update with \`discard_local_changes\` to overwrite them.`;
  return [refuse(localChanges, detail)];
}

function unknownInstall({ id, name }: ListingRow, environment: string): Error {
  const detail = `names no install of ${name} in ${environment}; GET /v1/marketplace/installs?listing=${id} lists them`;
  return refuse(invalidBody, `/install: ${detail}`, {
    errors: [{ pointer: "/install", code: "unknown_install", detail }],
  });
}
