import type { BatchContext } from "../../kernel/context.ts";
import type { SlicePorts } from "../../kernel/slice.ts";
import { type CarriedOut, carryOut } from "./carry-out.ts";
import { consentedVersion, storedConsent } from "./consent.ts";
import type { Install, InstallListingBody, InstallResult } from "./install-schemas.ts";
import { findInstall, type InstallRow, partsOf, type StoredPart, type WrittenInstall } from "./install-store.ts";
import { installView } from "./install-view.ts";
import { interrupted } from "./interrupted.ts";
import type { ListingRow } from "./listing-store.ts";
import { recordInstall } from "./operations/record-install.ts";
import { agentOf, type PlannedCall, partKey, planInstall } from "./plan.ts";
import { planFaults, planNew, readTarget, type Target, versionFaults, type Wanted } from "./prepare.ts";

/** The install that a batch makes: its id follows from the batch's, so that a repetition goes on with the same. */
export const installIdOf = ({ id }: Pick<BatchContext, "id">): string => `ins_${id.slice("bat_".length)}`;

/** Installs a version: refuses as a whole before the first call, then makes the parts, each by a call of its own. */
export async function install(
  ctx: BatchContext,
  ports: SlicePorts,
  listing: ListingRow,
  body: InstallListingBody,
): Promise<InstallResult> {
  const wanted = { suffix: body.suffix ?? "", agent: body.agent ?? null };
  const target = await readTarget(ctx, listing, await consentedVersion(ctx, listing, body));
  const begun = await findInstall(ctx, installIdOf(ctx));
  const plan = await planOf(ctx, ports, target, wanted, begun);
  const written: WrittenInstall = {
    ...{ id: installIdOf(ctx), listing_id: listing.id, version: target.version.version, digest: target.version.digest },
    ...{ suffix: wanted.suffix, agent: agentOf(target.contents, wanted), consent: storedConsent(ctx, target.version) },
    ...{ state: "installing", parts: partsBefore(plan) },
  };
  const recorded = await begin(ctx, written, target, begun?.revision ?? null);
  const carriedOut = await carryOut(ctx, ports, plan, !recorded);
  return finish(ctx, written, carriedOut, recorded);
}

/** The plan against what is there. A repetition after a crash goes by what the first call found, because it made some of the parts itself. */
async function planOf(
  ctx: BatchContext,
  ports: SlicePorts,
  target: Target,
  wanted: Wanted,
  begun: InstallRow | undefined,
): Promise<readonly PlannedCall[]> {
  const [fault] = versionFaults(ctx, target);
  if (fault) throw fault;
  if (begun) return planAsBegun(planInstall(target.contents, wanted), begun);
  const settled = await planNew(ctx, target, wanted);
  const [refusal] = planFaults(ctx, ports, target, wanted, settled);
  if (refusal) throw refusal;
  return settled.plan;
}

function planAsBegun(plan: readonly PlannedCall[], begun: InstallRow): PlannedCall[] {
  const kept = new Map(partsOf(begun).flatMap((part) => (part.state === "kept" ? [[partKey(part), part.id]] : [])));
  return plan.map((call) => {
    const id = kept.get(partKey(call));
    return id === undefined ? call : { ...call, action: "keep", id };
  });
}

/** The parts of a plan before its calls are made: what a process leaves behind that dies meanwhile. */
export function partsBefore(plan: readonly PlannedCall[]): StoredPart[] {
  return [...Map.groupBy(plan, partKey).values()].map((calls) => {
    const { kind, name, file, digest, action, id = null } = calls[0] as PlannedCall;
    const part = { kind, name, file, digest, stands: null, id, audit_ref: null };
    return action === "keep"
      ? { ...part, state: "kept" as const, problem: null }
      : { ...part, state: "failed" as const, problem: interrupted };
  });
}

/** Writes down that parts are about to be made, and accepts the publisher's key. False on a dry run, which writes nothing. */
export async function begin(
  ctx: BatchContext,
  install: WrittenInstall,
  { bundle, listing, version }: Target,
  based: number | null,
): Promise<boolean> {
  const accepts = { publisher_id: listing.publisher_id, key_id: version.key_id, publisher: bundle.publisher };
  return (await ctx.record(recordInstall, { install, step: "begin", based, approvedOnly: true, accepts })) !== null;
}

/** Writes down what the calls came to. `recorded` is false on a dry run. */
export async function finish(
  ctx: BatchContext,
  install: WrittenInstall,
  { results, parts, succeeded, failed }: CarriedOut,
  recorded: boolean,
  state: InstallRow["state"] = parts.some((part) => part.state === "failed") ? "incomplete" : "installed",
): Promise<InstallResult> {
  const ended: WrittenInstall = { ...install, state, parts };
  const step = { step: "finish", based: null, approvedOnly: false, accepts: null } as const;
  if (recorded) await ctx.record(recordInstall, { install: ended, ...step });
  return { install: recorded ? await viewOf(ctx, install.id) : null, results: [...results], succeeded, failed };
}

async function viewOf(ctx: BatchContext, id: string): Promise<Install> {
  return installView(ctx, (await findInstall(ctx, id)) as InstallRow);
}
