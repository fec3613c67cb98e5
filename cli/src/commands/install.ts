import { type Declared, serviceFlags } from "../call-command.ts";
import { lastOf } from "../flags.ts";
import { ask, listingId, listingPath, type PreviewShown, runMarketplace } from "../marketplace/calls.ts";
import { carryOutConsent, consentFlags } from "../marketplace/installing.ts";
import { processTerminal, type Terminal } from "../terminal.ts";

const declared: Declared = {
  usage: "install <listing> [options]",
  about: `Installs a listing of the marketplace, named by its name or id (lst_…): shows who signed it, what it asks for and what it would make, and asks
for a yes. Its parts become drafts; nothing of it runs. With --set-up the next steps are followed as well: it is trained and measured here,
and deployed where its gate opens.`,
  flags: [
    { name: "version", takes: "<version>", description: "the version; default: the newest approved one" },
    { name: "suffix", takes: "<suffix>", description: "put behind every name that it makes, such as -2" },
    { name: "agent", takes: "<agent>", description: "for tool sets and datasets: the agent that gets them" },
    ...consentFlags,
    ...serviceFlags,
  ],
  positionals: ["listing"],
  examples: ["aos install support-routing --set-up", "aos install invoice-triage --suffix=-2 --yes"],
};
export const { flags } = declared;

/** `aos install`. Returns the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runMarketplace(declared, args, terminal, async (given, service) => {
    const { parsed, argument } = given;
    const listing = await listingId(service, argument(0), "approved");
    const named = Object.fromEntries(
      ["version", "suffix", "agent"].flatMap((name) => {
        const value = lastOf(parsed, name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
    const preview = await ask<PreviewShown>(service, "POST", listingPath(listing, "preview"), { json: named });
    const { version: _version, ...body } = named;
    return carryOutConsent({
      ...{ given, service, preview, body },
      question: `Install ${preview.title} ${preview.version} with these permissions?`,
      path: listingPath(listing, "install"),
    });
  });
