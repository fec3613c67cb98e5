import type { BatchContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { invalidBody } from "../../../../kernel/problems.ts";
import { findAgent, findKnownAgent } from "../../../agents/public.ts";
import { permissionDifference } from "../../bundles/permissions.ts";
import { installState, localChanges } from "../../errors.ts";
import { type ListingRow, listingRows } from "../../listings/resource.ts";
import { compareVersions } from "../../listings/rules.ts";
import { findVersion, type VersionRow } from "../../listings/version-store.ts";
import { permissionsIn } from "../../listings/view.ts";
import type { AcceptedKey } from "../../publishers/publishing-key.ts";
import { partDrift, placed, readPresentDigests } from "../drift.ts";
import { finish, makeCalls } from "../install.ts";
import { recordInstall } from "../operations/record-install.ts";
import { type PlannedCall, partKey } from "../plan/calls.ts";
import { type Looking, settlePlan } from "../plan/names.ts";
import { planHere } from "../plan/plan.ts";
import {
  permissionFaults,
  plannedParts,
  previewedVersion,
  previewOf,
  readTarget,
  type Target,
  takenFaults,
  versionFaults,
} from "../prepare.ts";
import { consentedVersion, knownParts, refuseHeld, storedConsent } from "../rules.ts";
import type { InstallPreview, InstallResult, ResetInstallBody, UpdateInstallBody } from "../schemas.ts";
import {
  consentOf,
  findInstall,
  type InstallRow,
  listPartsElsewhere,
  partsOf,
  type StoredPart,
  type WrittenInstall,
} from "../store.ts";
import { readPresent } from "./present.ts";
import {
  type Decision,
  type InstallState,
  judge,
  mergeParts,
  planUpdate,
  type Remaking,
  remake,
  type UpdatePlan,
} from "./remake.ts";

type Result = InstallResult["results"][number];

/** State of an install in the environment. */
export async function readInstallState(ctx: Looking, row: InstallRow): Promise<InstallState> {
  const { agent } = row;
  const parts = await knownParts(ctx, row);
  const known = agent === null ? undefined : findKnownAgent(ctx, agent);
  const archived = agent !== null && (await findAgent(ctx, agent))?.archived_at != null;
  const presentDigests = await readPresentDigests(ctx, placed(parts, agent));
  return { parts, agent, presentDigests, live: known?.live != null, archived, present: new Map() };
}

/** With the entries of datasets and bases that a plan may change. */
async function withPresent(ctx: Looking, current: InstallState, plan: readonly PlannedCall[]): Promise<InstallState> {
  const digests = new Map(plan.map((call) => [partKey(call), call.digest]));
  const parts = placed(current.parts, current.agent).filter(
    (part) => digests.get(partKey(part)) !== part.digest || partDrift(part, current.presentDigests) !== "none",
  );
  return { ...current, present: await readPresent(ctx, parts) };
}

/** The installed version with its listing. */
export async function readInstalled(ctx: Looking, row: InstallRow): Promise<Target> {
  const listing = (await listingRows.find(ctx, row.listing_id)) as ListingRow;
  return readTarget(ctx, listing, (await findVersion(ctx, row.listing_id, row.version)) as VersionRow);
}

/** Shared with previews. */
interface PlannedUpdate extends UpdatePlan {
  readonly taken: ReadonlySet<string>;
  /** Parts made by an install of the version in another environment. */
  readonly elsewhere: ReadonlyMap<string, StoredPart>;
}

async function plannedUpdate(ctx: Looking, row: InstallRow, target: Target): Promise<PlannedUpdate> {
  const { version, contents } = target;
  const { contents: before } = await readInstalled(ctx, row);
  const others = await listPartsElsewhere(ctx, { ...row, digest: version.digest });
  const elsewhere = new Map(others.filter(({ state }) => state !== "failed").map((part) => [partKey(part), part]));
  const versions = { version: version.version, before, after: contents };
  const current = await withPresent(ctx, await readInstallState(ctx, row), planHere(contents, row));
  const planned = planUpdate(row, versions, current, elsewhere);
  const created = planned.plan.filter(({ action }) => action === "create");
  const { taken } = await settlePlan(ctx, created, []);
  return { ...planned, taken, elsewhere };
}

/** To a newer version, as drafts. */
export async function update(ctx: BatchContext, row: InstallRow, body: UpdateInstallBody): Promise<InstallResult> {
  const listing = (await listingRows.find(ctx, row.listing_id)) as ListingRow;
  refuseUnready(ctx, row);
  const target = await readTarget(ctx, listing, await consentedVersion(ctx, listing, body));
  refuseOlder(row, target.version);
  const planned = await plannedUpdate(ctx, row, target);
  const [fault] = [
    ...versionFaults(ctx, target),
    ...takenFaults({ plan: planned.plan, taken: planned.taken, twin: null }),
    ...permissionFaults(ctx, planned.plan),
  ];
  if (fault) throw fault;
  refuseOverwriting(row, planned, body);
  const { version, digest } = target.version;
  const after = { ...writtenOf(row), version, digest, consent: storedConsent(ctx, target.version) };
  const { publisher_id } = listing;
  const accepts = { publisher_id, key_id: target.version.key_id, publisher: target.bundle.publisher };
  const notes = goneResults(planned.gone, version);
  return callRemaking(ctx, { row, after, planned, accepts, kept: planned.elsewhere, notes });
}

/** Makes failed, missing and changed parts again, as drafts. */
export async function reset(
  ctx: BatchContext,
  row: InstallRow,
  { only_missing = false }: ResetInstallBody,
): Promise<InstallResult> {
  refuseUnready(ctx, row);
  const target = await readInstalled(ctx, row);
  const { state, version } = target.version;
  if (state === "quarantined" || state === "recalled")
    throw refuse(installState, `Version ${version} is ${state}; what it brought stays stopped.`);
  const plan = planHere(target.contents, row);
  const current = await withPresent(ctx, await readInstallState(ctx, row), plan);
  const decide = ({ part, drift, isThere }: ReturnType<typeof judge>[number]): Decision => {
    if (!isThere && drift === "missing") return "create";
    if (part?.state === "failed") return "change";
    return drift === "changed" && !only_missing ? "change" : "keep";
  };
  const planned = remake(judge(plan, current), decide, [], current);
  const [fault] = permissionFaults(ctx, planned.plan);
  if (fault) throw fault;
  return callRemaking(ctx, {
    row,
    after: writtenOf(row),
    planned,
    accepts: null,
    kept: new Map(),
    notes: [],
  });
}

interface Carried {
  readonly row: InstallRow;
  readonly after: WrittenInstall;
  readonly planned: Remaking;
  readonly accepts: AcceptedKey | null;
  readonly kept: ReadonlyMap<string, StoredPart>;
  readonly notes: readonly Result[];
}

/** The install keeps its version until the calls have ended: a repetition continues from there. */
async function callRemaking(
  ctx: BatchContext,
  { row, after, planned: { plan, notes, settled }, accepts, kept, notes: more }: Carried,
): Promise<InstallResult> {
  const begun: WrittenInstall = { ...writtenOf(row), state: "installing" };
  const step = { step: "begin", based: row.revision, approvedOnly: false, accepts } as const;
  const recorded = (await ctx.record(recordInstall, { install: begun, ...step })) !== null;
  const carriedOut = await makeCalls(ctx, plan, !recorded);
  const parts = mergeParts(partsOf(row), carriedOut.parts, kept, settled);
  const said = plan.flatMap((call) => {
    const note = notes.get(partKey(call));
    return note === undefined || call.action !== "keep" ? [] : [stays(call, note)];
  });
  const made = carriedOut.results.map((result) => ({
    ...result,
    note: result.note ?? notes.get(partKey(result)) ?? null,
  }));
  const results = [...made, ...said, ...more];
  return finish(ctx, after, { ...carriedOut, results, parts }, recorded);
}

/** A result with the reason why a part stays. */
export const stays = ({ kind, name }: Pick<PlannedCall, "kind" | "name">, note: string): Result => ({
  kind,
  name,
  action: "keep",
  status: null,
  audit_ref: null,
  note,
  problem: null,
});

const goneResults = (gone: readonly StoredPart[], version: string): Result[] =>
  gone.map((part) => stays(part, `Version ${version} no longer has it. It stays until the install is removed.`));

/** The row as it is written back. */
export const writtenOf = (row: InstallRow): WrittenInstall => ({
  id: row.id,
  listing_id: row.listing_id,
  version: row.version,
  digest: row.digest,
  suffix: row.suffix,
  agent: row.agent,
  state: row.state,
  parts: partsOf(row),
  consent: consentOf(row),
});

function refuseUnready({ now, id }: BatchContext, row: InstallRow): void {
  if (row.state === "removed") throw refuse(installState, "The install was removed.");
  refuseHeld(now, row, id);
}

function refuseOlder(row: InstallRow, { version }: VersionRow): void {
  const newer = compareVersions(version, row.version);
  if (newer === 0) throw refuse(installState, `Version ${version} is installed already; reset it to drop changes.`);
  if (newer < 0) throw refuse(installState, `Version ${version} is older than ${row.version}, which is installed.`);
}

function refuseOverwriting({ state }: InstallRow, { overwritten }: Remaking, body: UpdateInstallBody): void {
  // An interrupted update has changed some parts itself.
  if (body.discard_local_changes || state === "installing" || overwritten.length === 0) return;
  const parts = overwritten.map(({ kind, name }) => ({ kind, name }));
  const names = parts.map(({ kind, name }) => `${kind.replaceAll("_", " ")} ${name}`);
  throw refuse(localChanges, `Changed since the install: ${names.join(", ")}.`, { members: { parts } });
}

/** Changes and additional permissions of an update. */
export async function previewUpdate(
  ctx: Looking,
  listing: ListingRow,
  { install: id, version: asked }: { readonly install: string; readonly version?: string },
): Promise<InstallPreview> {
  const install = await findInstall(ctx, id);
  if (install?.listing_id !== listing.id) throw unknownInstall(listing, ctx.scope.environment);
  const target = await readTarget(ctx, listing, await previewedVersion(ctx, listing, asked));
  const planned = await plannedUpdate(ctx, install, target);
  const faults = [
    ...updateFaults(install, target, planned),
    ...versionFaults(ctx, target),
    ...takenFaults({ plan: planned.plan, taken: planned.taken, twin: null }),
    ...permissionFaults(ctx, planned.plan),
  ];
  return {
    ...(await previewOf(ctx, target)),
    difference: permissionDifference(consentOf(install).permissions, permissionsIn(target.version)),
    parts: plannedParts(ctx, planned.plan, planned.taken),
    faults: faults.map(({ type, details }) => ({ code: type.code, detail: details.detail })),
  };
}

/** Why the install cannot be brought to this version. */
function updateFaults(install: InstallRow, { version: { version } }: Target, { overwritten }: PlannedUpdate) {
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
