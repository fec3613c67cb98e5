import type { AosCommand, Given } from "../command.ts";
import type { Service } from "../http.ts";
import {
  ask,
  type InstallShown,
  inMarketplace,
  installId,
  installPath,
  listingPath,
  type PreviewShown,
} from "../marketplace/calls.ts";
import { carryOutConsent } from "../marketplace/consent.ts";
import { exits, printable } from "../terminal.ts";

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Updates an install, named by its listing's name or its id (ins_…), to the newest version: shows which
permissions are added and removed, and asks for confirmation. The new parts become drafts; what is deployed
stays deployed until --set-up or you deploy the new version.`,
    )
    .option("--discard-local-changes", "overwrites parts that were changed here")
    .option("-y, --yes", "agrees to the permissions without being asked")
    .option("--set-up", "then follows the next steps: trains, measures, deploys")
    .option("--dry-run", "shows what it asks for and would make, and makes nothing")
    .serviceOptions()
    .examples(
      "aos marketplace update support-routing",
      "aos marketplace update ins_01jd8x0000000000000000000n --yes --set-up",
    )
    .run((given) => inMarketplace(given, run));

async function run(given: Given, service: Service): Promise<number> {
  const { terminal, options } = given;
  const id = await installId(service, given.argument(0));
  const install = await ask<InstallShown>(service, "GET", installPath(id));
  if (install.update === null) {
    terminal.stderr.write(`${printable(install.title)} ${install.version} is the newest version.\n`);
    return exits.done;
  }
  const json = { install: id, version: install.update.version };
  const preview = await ask<PreviewShown>(service, "POST", listingPath(install.listing_id, "preview"), { json });
  return carryOutConsent({
    given,
    service,
    preview,
    path: installPath(id, "update"),
    question: `Update ${preview.title} from ${install.version} to ${preview.version} with these permissions?`,
    body: options.discardLocalChanges ? { discard_local_changes: true } : {},
  });
}
