import { type VerifiedBundle, verifyBundle } from "@aos/bundle";
import { type Refusal, refuse } from "../../kernel/errors.ts";
import { invalidBody } from "../../kernel/problems.ts";
import { principalHolds } from "../../kernel/role-permissions.ts";
import type { SlicePorts } from "../../kernel/slice.ts";
import { decidesStrictly } from "../admin/public.ts";
import { findKnownAgent } from "../agents/public.ts";
import { type BundleContents, readContents } from "./contents.ts";
import { listingState, namesTaken, partsNotPermitted, publisherKeyChanged } from "./errors.ts";
import { orRefuse } from "./faults.ts";
import { permissionOf } from "./install-calls.ts";
import { findInstallHere, listPartsElsewhere } from "./install-store.ts";
import type { ListingRow } from "./listing-store.ts";
import { type Looking, type SettledPlan, settlePlan } from "./names.ts";
import { keyChangeOf } from "./pinned-key.ts";
import { type PlannedCall, planInstall } from "./plan.ts";
import { nameFaults } from "./plan-names.ts";
import { findPublisher, type PublisherRow } from "./publisher-store.ts";
import { readBundleText, type VersionRow } from "./version-store.ts";

/** A version with what its file holds. */
export interface Target {
  readonly listing: ListingRow;
  readonly version: VersionRow;
  readonly publisher: PublisherRow;
  readonly bundle: VerifiedBundle;
  readonly contents: BundleContents;
}

/** Reads and verifies the file of a version. Throws `bundle_refused` where it is not what was submitted. */
export async function readTarget(ctx: Looking, listing: ListingRow, version: VersionRow): Promise<Target> {
  const publisher = (await findPublisher(ctx, listing.publisher_id)) as PublisherRow;
  const text = await readBundleText(ctx, version);
  const bundle = orRefuse(() => verifyBundle(text));
  return { listing, version, publisher, bundle, contents: readContents(bundle.files, bundle.manifest) };
}

/** What an install is asked to be called, and whom it serves. */
export interface Wanted {
  readonly suffix: string;
  readonly agent: string | null;
}

/** The plan of a new install against what is there. */
export interface NewPlan extends SettledPlan {
  /** The install of this listing that has the same suffix here; null: there is none. */
  readonly twin: string | null;
}

export async function planNew(ctx: Looking, { listing, version, contents }: Target, wanted: Wanted): Promise<NewPlan> {
  const plan = planInstall(contents, wanted);
  const same = { ...wanted, listing_id: listing.id, digest: version.digest };
  const twin = await findInstallHere(ctx, same);
  const settled = await settlePlan(ctx, plan, twin ? [] : await listPartsElsewhere(ctx, same));
  return { ...settled, twin: twin?.id ?? null };
}

/** Why a version cannot be installed here, whatever the install is called; empty: it can. */
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

/** Why the parts cannot be made as asked; empty: they can. */
export function planFaults(ctx: Looking, ports: SlicePorts, { contents }: Target, wanted: Wanted, settled: NewPlan) {
  return [
    ...agentFaults(ctx, contents, wanted.agent),
    ...nameFaults(settled.plan).map(({ pointer, detail }) => invalid(pointer, "name_too_long", detail)),
    ...takenFaults(settled),
    ...permissionFaults(ctx, ports, settled.plan),
  ];
}

const invalid = (pointer: string, code: string, detail: string): Refusal =>
  refuse(invalidBody, `${pointer}: ${detail}`, { errors: [{ pointer, code, detail }] });

/** Tool sets and datasets need an agent that is there; nothing else takes one. */
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

/** Permissions that the calls need and the caller lacks. */
export function missingPermissions(ctx: Looking, ports: SlicePorts, plan: readonly PlannedCall[]): string[] {
  const needed = plan.filter(({ action }) => action !== "keep").map(({ operation }) => permissionOf(ports, operation));
  return [...new Set(needed)].filter((permission) => !principalHolds(ctx.principal, permission)).sort();
}

export function permissionFaults(ctx: Looking, ports: SlicePorts, plan: readonly PlannedCall[]): Refusal[] {
  const permissions = missingPermissions(ctx, ports, plan);
  if (permissions.length === 0) return [];
  return [refuse(partsNotPermitted, `The key lacks ${permissions.join(", ")}.`, { members: { permissions } })];
}
