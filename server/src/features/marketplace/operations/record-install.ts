import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { installState, listingState } from "../errors.ts";
import { installCompleted, installRemoved } from "../events.ts";
import { refuseChanged, refuseHeld } from "../held.ts";
import { lockInstall, putInstall, type WrittenInstall } from "../install-store.ts";
import { findListing, type ListingRow } from "../listing-store.ts";
import { type AcceptedKey, acceptKey } from "../pinned-key.ts";
import { withStandings } from "../standings.ts";
import { lockVersionState } from "../version-state.ts";

export interface RecordInstall {
  readonly install: WrittenInstall;
  /** Before the calls of a batch, or after them. */
  readonly step: "begin" | "finish";
  /** The install's revision from which the calls were planned, which `begin` compares; null: there was none. */
  readonly based: number | null;
  /** Refuses a version that is not approved. An install of which the version was recalled can be removed all the same. */
  readonly approvedOnly: boolean;
  /** The publisher's key that this consent accepts; null: it accepts none. */
  readonly accepts: AcceptedKey | null;
}

/**
 * Writes down an install before and after the calls that make, change or remove it. From the one to the other no other batch changes it. Both hold the version's row, as a recall does: a recall either finds
 * the install, or is found by it.
 */
export const recordInstall: InsideOperation<RecordInstall, { readonly recorded: boolean }> = defineInside({
  id: "marketplace.recordInstall",
  summary: "Record an install",
  permission: exempt("part of a batch whose permission was checked"),
  load: (ctx, { install }: RecordInstall) => findListing(ctx, install.listing_id),
  gate: exempt("makes no agent act"),
  compliance: exempt("part of a batch that policies have judged"),
  audit: ({ params }) => `install:${params.install.id}`,
  emits: [installCompleted, installRemoved],
  errors: [listingState, installState],
  async handle(ctx, { params: { install: given, step, based, approvedOnly, accepts }, loaded: listing }) {
    const install = step === "finish" ? { ...given, parts: await withStandings(ctx, given) } : given;
    const version = await lockVersionState(ctx, install.listing_id, install.version);
    if (!version || (approvedOnly && version.state !== "approved"))
      throw refuse(listingState, `Version ${install.version} of ${listing.name} is ${version?.state ?? "not there"}.`);
    if (accepts) await acceptKey(ctx, accepts);
    const before = await lockInstall(ctx, install.id);
    const own = before?.batch === ctx.batch;
    if (before && step === "begin" && !own) {
      refuseHeld(ctx.now, before, ctx.batch);
      refuseChanged(before, based);
    }
    const stands = own && before.state === install.state && before.parts === JSON.stringify(install.parts);
    if (stands && before.version === install.version) return { recorded: false };
    await putInstall(ctx, install);
    if (step === "finish") await finish(ctx, install, listing, version);
    return { recorded: true };
  },
});

async function finish(
  ctx: WriteContext,
  install: WrittenInstall,
  { name }: ListingRow,
  version: { readonly state: string; readonly manifest: string },
): Promise<void> {
  const { title } = JSON.parse(version.manifest) as { title: string };
  const told = { install_id: install.id, listing_id: install.listing_id, name, title, version: install.version };
  const by = ctx.principal.id;
  if (install.state === "removed") ctx.emit(installRemoved, { ...told, by });
  else ctx.emit(installCompleted, { ...told, state: install.state, by });
}
