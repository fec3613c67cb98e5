import type { BatchContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import type { SlicePorts } from "../../kernel/slice.ts";
import { findAgent, findKnownAgent } from "../agents/public.ts";
import { carryOut } from "./carry-out.ts";
import { consentedVersion, storedConsent } from "./consent.ts";
import { partDrift, placed } from "./drift.ts";
import { installState, localChanges } from "./errors.ts";
import { refuseHeld } from "./held.ts";
import { finish } from "./install.ts";
import type { InstallResult, ResetInstallBody, UpdateInstallBody } from "./install-schemas.ts";
import {
  consentOf,
  type InstallRow,
  listPartsElsewhere,
  partsOf,
  type StoredPart,
  type WrittenInstall,
} from "./install-store.ts";
import { knownParts } from "./interrupted.ts";
import { findListing, type ListingRow } from "./listing-store.ts";
import { compareVersions } from "./model.ts";
import { type Looking, settlePlan } from "./names.ts";
import { recordInstall } from "./operations/record-install.ts";
import type { AcceptedKey } from "./pinned-key.ts";
import { type PlannedCall, partKey } from "./plan.ts";
import { planHere } from "./plan-here.ts";
import { permissionFaults, readTarget, type Target, takenFaults, versionFaults } from "./prepare.ts";
import { readPresent } from "./present.ts";
import { type Decision, judge, mergeParts, type Remaking, remake, type Standing } from "./remake.ts";
import { readStandings } from "./standing-store.ts";
import { planUpdate, type UpdatePlan } from "./update-plan.ts";
import { findVersion, type VersionRow } from "./version-store.ts";

type Result = InstallResult["results"][number];

/** How an install stands here. */
export async function readStanding(ctx: Looking, row: InstallRow): Promise<Standing> {
  const { agent } = row;
  const parts = await knownParts(ctx, row);
  const known = agent === null ? undefined : findKnownAgent(ctx, agent);
  const archived = agent !== null && (await findAgent(ctx, agent))?.archived_at != null;
  const standings = await readStandings(ctx, placed(parts, agent));
  return { parts, agent, standings, live: known?.live != null, archived, present: new Map() };
}

/** The same with what those of its datasets and bases hold that a plan may change. */
async function withPresent(ctx: Looking, standing: Standing, plan: readonly PlannedCall[]): Promise<Standing> {
  const digests = new Map(plan.map((call) => [partKey(call), call.digest]));
  const parts = placed(standing.parts, standing.agent).filter(
    (part) => digests.get(partKey(part)) !== part.digest || partDrift(part, standing.standings) !== "none",
  );
  return { ...standing, present: await readPresent(ctx, parts) };
}

/** The version that is installed, with its listing. */
export async function readInstalled(ctx: Looking, row: InstallRow): Promise<Target> {
  const listing = (await findListing(ctx, row.listing_id)) as ListingRow;
  return readTarget(ctx, listing, (await findVersion(ctx, row.listing_id, row.version)) as VersionRow);
}

/** An update as it is planned: also what a preview shows. */
export interface PlannedUpdate extends UpdatePlan {
  readonly taken: ReadonlySet<string>;
  /** Parts that an install of the version in another environment made. */
  readonly elsewhere: ReadonlyMap<string, StoredPart>;
}

export async function plannedUpdate(ctx: Looking, row: InstallRow, target: Target): Promise<PlannedUpdate> {
  const { version, contents } = target;
  const { contents: before } = await readInstalled(ctx, row);
  const others = await listPartsElsewhere(ctx, { ...row, digest: version.digest });
  const elsewhere = new Map(others.filter(({ state }) => state !== "failed").map((part) => [partKey(part), part]));
  const versions = { version: version.version, before, after: contents };
  const standing = await withPresent(ctx, await readStanding(ctx, row), planHere(contents, row));
  const planned = planUpdate(row, versions, standing, elsewhere);
  const created = planned.plan.filter(({ action }) => action === "create");
  const { taken } = await settlePlan(ctx, created, []);
  return { ...planned, taken, elsewhere };
}

/** Brings an install to a newer version, as drafts. */
export async function update(
  ctx: BatchContext,
  ports: SlicePorts,
  row: InstallRow,
  body: UpdateInstallBody,
): Promise<InstallResult> {
  const listing = (await findListing(ctx, row.listing_id)) as ListingRow;
  refuseUnready(ctx, row);
  const target = await readTarget(ctx, listing, await consentedVersion(ctx, listing, body));
  refuseOlder(row, target.version);
  const planned = await plannedUpdate(ctx, row, target);
  const [fault] = [
    ...versionFaults(ctx, target),
    ...takenFaults({ plan: planned.plan, taken: planned.taken, twin: null }),
    ...permissionFaults(ctx, ports, planned.plan),
  ];
  if (fault) throw fault;
  refuseOverwriting(row, planned, body);
  const { version, digest } = target.version;
  const after = { ...writtenOf(row), version, digest, consent: storedConsent(ctx, target.version) };
  const { publisher_id } = listing;
  const accepts = { publisher_id, key_id: target.version.key_id, publisher: target.bundle.publisher };
  const notes = goneResults(planned.gone, version);
  return carryOutRemaking(ctx, ports, { row, after, planned, accepts, kept: planned.elsewhere, notes });
}

/** Makes again, as drafts, what failed, is gone or was changed. */
export async function reset(
  ctx: BatchContext,
  ports: SlicePorts,
  row: InstallRow,
  { only_missing = false }: ResetInstallBody,
): Promise<InstallResult> {
  refuseUnready(ctx, row);
  const target = await readInstalled(ctx, row);
  const { state, version } = target.version;
  if (state === "quarantined" || state === "recalled")
    throw refuse(installState, `Version ${version} is ${state}; what it brought stays stopped.`);
  const plan = planHere(target.contents, row);
  const standing = await withPresent(ctx, await readStanding(ctx, row), plan);
  const decide = ({ part, drift, isThere }: ReturnType<typeof judge>[number]): Decision => {
    if (!isThere && drift === "missing") return "create";
    if (part?.state === "failed") return "change";
    return drift === "changed" && !only_missing ? "change" : "keep";
  };
  const planned = remake(judge(plan, standing), decide, [], standing);
  const [fault] = permissionFaults(ctx, ports, planned.plan);
  if (fault) throw fault;
  return carryOutRemaking(ctx, ports, {
    ...{ row, after: writtenOf(row), planned, accepts: null, kept: new Map(), notes: [] },
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

/** Until the calls have ended, the install says the version that it had: a repetition goes on from there. */
async function carryOutRemaking(
  ctx: BatchContext,
  ports: SlicePorts,
  { row, after, planned: { plan, notes, settled }, accepts, kept, notes: more }: Carried,
): Promise<InstallResult> {
  const begun: WrittenInstall = { ...writtenOf(row), state: "installing" };
  const step = { step: "begin", based: row.revision, approvedOnly: false, accepts } as const;
  const recorded = (await ctx.record(recordInstall, { install: begun, ...step })) !== null;
  const carriedOut = await carryOut(ctx, ports, plan, !recorded);
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

/** A result that says why a part stays as it is. */
export const stays = ({ kind, name }: Pick<PlannedCall, "kind" | "name">, note: string): Result => ({
  ...{ kind, name, action: "keep", status: null, audit_ref: null, note, problem: null },
});

const goneResults = (gone: readonly StoredPart[], version: string): Result[] =>
  gone.map((part) => stays(part, `Version ${version} has it no more. It stays until the install is removed.`));

/** An install as it is written again. */
export const writtenOf = (row: InstallRow): WrittenInstall => ({
  ...{ id: row.id, listing_id: row.listing_id, version: row.version, digest: row.digest, suffix: row.suffix },
  ...{ agent: row.agent, state: row.state, parts: partsOf(row), consent: consentOf(row) },
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
  // An update that broke off has changed some parts itself.
  if (body.discard_local_changes || state === "installing" || overwritten.length === 0) return;
  const parts = overwritten.map(({ kind, name }) => ({ kind, name }));
  const names = parts.map(({ kind, name }) => `${kind.replaceAll("_", " ")} ${name}`);
  throw refuse(localChanges, `Changed since the install: ${names.join(", ")}.`, { members: { parts } });
}
