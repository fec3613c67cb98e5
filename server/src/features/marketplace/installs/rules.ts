import type { Static } from "typebox";
import { all, select, sql } from "../../../db/scoped.ts";
import { isoTime, timestamp } from "../../../kernel/clock.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { refuse } from "../../../kernel/errors.ts";
import { datasetRows } from "../../evaluations/shared-rows.ts";
import { policyRows } from "../../governance/shared-rows.ts";
import { consentMissing, installState } from "../errors.ts";
import type { ListingRow } from "../listings/resource.ts";
import { findDigest, type VersionRow } from "../listings/version-store.ts";
import { permissionsIn } from "../listings/view.ts";
import { partKey } from "./plan/calls.ts";
import type { Looking } from "./plan/names.ts";
import type { Consent } from "./schemas.ts";
import { type InstallRow, partsOf, type StoredConsent, type StoredPart } from "./store.ts";

/** Throws `consent_missing` unless the consent names the permissions and the key of the version with this digest. */
export async function consentedVersion(
  ctx: Looking,
  listing: ListingRow,
  { digest, consent }: { readonly digest: string; readonly consent: Static<typeof Consent> },
): Promise<VersionRow> {
  const version = await findDigest(ctx, digest);
  if (version?.listing_id !== listing.id)
    throw refuse(consentMissing, `No version of ${listing.name} has the digest ${digest}.`);
  if (consent.permissions !== version.permissions_digest)
    throw refuse(
      consentMissing,
      `Version ${version.version} asks for other permissions than those that were agreed to.`,
    );
  if (consent.publisher_key !== version.key_id)
    throw refuse(
      consentMissing,
      `Version ${version.version} is signed by another key than the one that was agreed to.`,
    );
  return version;
}

/** As the install keeps it. */
export const storedConsent = (ctx: Looking, version: VersionRow): StoredConsent => ({
  permissions: permissionsIn(version),
  permissions_digest: version.permissions_digest,
  publisher_key: version.key_id,
  by: ctx.principal.id,
  at: isoTime(new Date(ctx.now)),
});

/** In milliseconds: much longer than a batch takes, so that a process that dies does not block the install for good. */
const heldFor = 10 * 60 * 1000;

/** Throws while another batch changes the install. `batch`: this one. */
export function refuseHeld(
  now: number,
  { state, batch: holder, updated_at }: Pick<InstallRow, "state" | "batch" | "updated_at">,
  batch: string | null,
): void {
  const until = updated_at.getTime() + heldFor;
  if (state !== "installing" || holder === batch || now >= until) return;
  throw refuse(
    installState,
    `Another call has been changing it since ${isoTime(updated_at)}. If that broke off, repeat it with its Idempotency-Key, or reset the install after ${timestamp(until)}.`,
  );
}

/** Throws if the install changed since it was planned. `based`: its revision then. */
export function refuseChanged({ revision }: Pick<InstallRow, "revision">, based: number | null): void {
  if (revision !== based)
    throw refuse(installState, "Another call changed it meanwhile; read it again, then repeat the call.");
}

/** The problem of a part while its calls run; it stays if the process dies. */
export const interrupted = {
  code: "interrupted",
  detail:
    "The call that makes it did not end. Repeat it with the same Idempotency-Key, or make what is missing by POST /v1/marketplace/installs/{install}/reset.",
};

/** A part whose call was cut off has no id: what the installer made under its name since then is that part. */
export async function knownParts(ctx: QueryContext, row: InstallRow): Promise<readonly StoredPart[]> {
  const parts = partsOf(row);
  const unknown = parts.filter(({ id, problem }) => id === null && problem?.code === interrupted.code);
  const ids = new Map<string, string>();
  for (const [kind, find] of [["policy", findPolicies] as const, ["dataset", findDatasets] as const]) {
    const names = unknown.flatMap((part) => (part.kind === kind ? [part.name] : []));
    for (const { id, name } of names.length > 0 ? await find(ctx, row, names) : []) ids.set(`${kind}:${name}`, id);
  }
  return parts.map((part) => (unknown.includes(part) ? { ...part, id: ids.get(partKey(part)) ?? null } : part));
}

interface Found {
  readonly id: string;
  readonly name: string;
}

const findPolicies = (ctx: QueryContext, row: InstallRow, names: readonly string[]): Promise<Found[]> => {
  const policies = select(ctx, policyRows, "p")
    .select(["p.id", "p.name"])
    .where("p.name", "=", sql<string>`any(${names}::text[])`)
    .where("p.version", "=", 1)
    .where("p.author", "=", row.installed_by)
    .where("p.created_at", ">=", row.created_at);
  return all(ctx, policies.orderBy("p.id", "desc"));
};

const findDatasets = (ctx: QueryContext, _row: InstallRow, names: readonly string[]): Promise<Found[]> => {
  const datasets = select(ctx, datasetRows, "d").select(["d.id", "d.name"]);
  return all(ctx, datasets.where("d.name", "=", sql<string>`any(${names}::text[])`));
};
