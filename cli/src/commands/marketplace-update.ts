import { type Declared, serviceFlags } from "../call-command.ts";
import { isSet } from "../flags.ts";
import {
  ask,
  type InstallShown,
  installId,
  installPath,
  listingPath,
  type PreviewShown,
  runMarketplace,
} from "../marketplace/calls.ts";
import { carryOutConsent, consentFlags } from "../marketplace/installing.ts";
import { exits, printable, processTerminal, type Terminal } from "../terminal.ts";

const declared: Declared = {
  usage: "marketplace update <install> [options]",
  about: `Takes the newest version of what is installed, named by its listing's name or its id (ins_…): shows what it asks for more and less than the
installed one, and asks for a yes. The new parts become drafts; what is deployed stays deployed until --set-up or you deploy the new version.`,
  flags: [
    { name: "discard-local-changes", boolean: true, description: "overwrites parts that were changed here" },
    ...consentFlags,
    ...serviceFlags,
  ],
  positionals: ["install"],
  examples: [
    "aos marketplace update support-routing",
    "aos marketplace update ins_01jd8x0000000000000000000n --yes --set-up",
  ],
};
export const { flags } = declared;

/** `aos marketplace update`. Returns the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runMarketplace(declared, args, terminal, async (given, service) => {
    const id = await installId(service, given.argument(0));
    const install = await ask<InstallShown>(service, "GET", installPath(id));
    if (install.update === null) {
      terminal.stderr.write(`${printable(install.title)} ${install.version} is the newest version.\n`);
      return exits.done;
    }
    const json = { install: id, version: install.update.version };
    const preview = await ask<PreviewShown>(service, "POST", listingPath(install.listing_id, "preview"), { json });
    return carryOutConsent({
      ...{ given, service, preview, path: installPath(id, "update") },
      question: `Update ${preview.title} from ${install.version} to ${preview.version} with these permissions?`,
      body: isSet(given.parsed, "discard-local-changes") ? { discard_local_changes: true } : {},
    });
  });
