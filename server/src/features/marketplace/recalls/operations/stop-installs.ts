import type { WriteContext } from "../../../../kernel/context.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { engageInside, killSwitchEngagedEvent } from "../../../governance/public.ts";
import { installRecalled } from "../../events.ts";
import { type ListingRow, listingRows } from "../../listings/resource.ts";
import { findVersion, type VersionRow, versionJson } from "../../listings/version-store.ts";
import { type RecallRow, recalls } from "../resource.ts";
import { insertStop, listTargets, noteDone, type RecallTarget } from "../store.ts";

interface StopInstalls {
  readonly recall: string;
}

/** Stops the installs of a quarantined or recalled listing in one environment. Repeated, it stops what came since. */
export const stopInstalls: InsideOperation<StopInstalls, { readonly stopped: number }> = defineInside({
  id: "marketplace.stopInstalls",
  summary: "Stop the installs of a recalled listing",
  permission: exempt("a machine of the service itself"),
  load: (ctx, { recall }: StopInstalls) => recalls.find(ctx, recall),
  gate: exempt("stops work, starts none"),
  compliance: exempt("carries out a decision that people took"),
  audit: ({ params }) => `recall:${params.recall}`,
  emits: [killSwitchEngagedEvent, installRecalled],
  async handle(ctx, { loaded }) {
    const recall = (await recalls.lock(ctx, loaded.id)) as RecallRow; // rows are never deleted
    const all = await listTargets(ctx.db, ctx.scope.organization, recall.id);
    const here = all.filter(({ environment }) => environment === ctx.scope.environment);
    if (here.length > 0) await stop(ctx, recall, here);
    if (here.length === all.length) await noteDone(ctx, recall.id);
    return { stopped: here.length };
  },
});

async function stop(ctx: WriteContext, recall: RecallRow, targets: readonly RecallTarget[]): Promise<void> {
  const listing = (await listingRows.find(ctx, recall.listing_id)) as ListingRow;
  for (const [install_id, parts] of Map.groupBy(targets, (one) => one.install_id)) {
    const stopped = [];
    for (const { kind, target } of parts) {
      const reason = reasonOf(recall, listing, kind);
      const kill_switch_id = await engageInside(ctx, { kind, target, reason, by: recall.by });
      await insertStop(ctx, { recall_id: recall.id, install_id, kind, target, kill_switch_id });
      stopped.push({ kind, target, kill_switch_id });
    }
    const [{ version, installed_in }] = parts as [RecallTarget];
    if (installed_in === ctx.scope.environment) await tell(ctx, recall, listing, { install_id, version, stopped });
  }
}

/** Only in the environment of the install: others do not see it. */
async function tell(
  ctx: WriteContext,
  { id: recall_id, kind, reason, listing_id }: RecallRow,
  { name }: ListingRow,
  install: { install_id: string; version: string; stopped: { kind: string; target: string; kill_switch_id: string }[] },
): Promise<void> {
  const found = await findVersion(ctx, listing_id, install.version);
  const { title } = versionJson(found as VersionRow, "manifest");
  ctx.emit(installRecalled, { ...install, listing_id, name, title, recall_id, kind, reason });
}

const verbs = { quarantine: "quarantined", recall: "recalled" } as const;

function reasonOf({ id, kind, reason }: RecallRow, { name }: ListingRow, of: RecallTarget["kind"]): string {
  const shared =
    of === "tool"
      ? " Tools of this name that agents have from elsewhere are stopped as well; release it for these."
      : "";
  return `The listing ${name} was ${verbs[kind]} (${id}): ${reason}${shared}`.slice(0, 2000);
}
