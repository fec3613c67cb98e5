import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { installState, listingState } from "../../errors.ts";
import { installCompleted, installRemoved } from "../../events.ts";
import { type ListingRow, listingRows } from "../../listings/resource.ts";
import { lockVersionState, versionJson } from "../../listings/version-store.ts";
import { type AcceptedKey, acceptKey } from "../../publishers/publishing-key.ts";
import { withPresentDigests } from "../drift.ts";
import { refuseChanged, refuseHeld } from "../rules.ts";
import { lockInstall, putInstall, type WrittenInstall } from "../store.ts";

interface RecordInstall {
  readonly install: WrittenInstall;
  readonly step: "begin" | "finish";
  /** The revision that the calls were planned from, compared by `begin`; null: a new install. */
  readonly based: number | null;
  /** Refuses a version that is not approved; removing one that was recalled still works. */
  readonly approvedOnly: boolean;
  /** The publisher's key that this consent accepts, if any. */
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
  load: (ctx, { install }: RecordInstall) => listingRows.find(ctx, install.listing_id),
  gate: exempt("makes no agent act"),
  compliance: exempt("part of a batch that policies have judged"),
  audit: ({ params }) => `install:${params.install.id}`,
  emits: [installCompleted, installRemoved],
  errors: [listingState, installState],
  async handle(ctx, { params: { install: given, step, based, approvedOnly, accepts }, loaded: listing }) {
    const install = step === "finish" ? { ...given, parts: await withPresentDigests(ctx, given) } : given;
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
  const { title } = versionJson(version, "manifest");
  const data = { install_id: install.id, listing_id: install.listing_id, name, title, version: install.version };
  const by = ctx.principal.id;
  if (install.state === "removed") ctx.emit(installRemoved, { ...data, by });
  else ctx.emit(installCompleted, { ...data, state: install.state, by });
}
