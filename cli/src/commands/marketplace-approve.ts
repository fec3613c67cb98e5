import type { Output } from "@aos/sdk";
import { confirmed } from "../ask.ts";
import { type Declared, type Given, serviceFlags } from "../call-command.ts";
import { isSet, lastOf } from "../flags.ts";
import { ask, listingId, listingPath, runMarketplace } from "../marketplace/calls.ts";
import { listing as listingLines } from "../output/marketplace-summaries.ts";
import { Cancelled, CommandError, exits, processTerminal, type Terminal } from "../terminal.ts";

type Listing = Output<"marketplace.readListing">;

const declared: Declared = {
  usage: 'marketplace approve <listing> --reason "…" [options]',
  about: `Shows a listing, named by its name or id (lst_…), and approves the version of it that waits for review: by another person than who submitted it. The
digest of what was shown goes with the decision. Its scan: aos marketplace listings scan get <listing>.`,
  flags: [
    { name: "reason", takes: "<text>", description: "what you looked at, kept with the version" },
    { name: "version", takes: "<version>", description: "the version; default: the newest that waits" },
    { name: "accept-findings", boolean: true, description: "approves it although its scan has errors" },
    { name: "yes", short: "y", boolean: true, description: "approves without confirmation" },
    ...serviceFlags,
  ],
  positionals: ["listing"],
  examples: ['aos marketplace approve support-routing --reason "Read and tried."'],
};
export const { flags } = declared;

/** `aos marketplace approve`. Returns the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runMarketplace(declared, args, terminal, async (given, service) => {
    const reason = lastOf(given.parsed, "reason");
    if (reason === undefined) throw new CommandError('Say what you looked at: --reason "Read and tried."');
    const id = await listingId(service, given.argument(0));
    const listing = await ask<Listing>(service, "GET", listingPath(id));
    const version = waiting(listing, lastOf(given.parsed, "version"));
    // The listing tells what it offers; what is decided about is another version where one is approved already.
    const query = new URLSearchParams({ version: version.version });
    await agreed(given, await ask<Listing>(service, "GET", `${listingPath(id)}?${query}`), version.version);
    const accepts = isSet(given.parsed, "accept-findings") ? { accept_findings: true } : {};
    const json = { decision: "approve", version: version.version, digest: version.digest, reason, ...accepts };
    const after = await ask<Listing>(service, "POST", listingPath(id, "review"), { json });
    terminal.stdout.write(
      given.json ? `${JSON.stringify(after, null, 2)}\n` : `${listing.name} ${version.version}: approved\n`,
    );
    return exits.done;
  });

function waiting({ name, versions }: Listing, named: string | undefined): Listing["versions"][number] {
  const found = versions.find(({ version, state }) =>
    named === undefined ? state === "submitted" || state === "quarantined" : version === named,
  );
  if (found === undefined)
    throw new CommandError(
      named === undefined ? `No version of ${name} waits for review.` : `${name} has no version ${named}.`,
    );
  return found;
}

async function agreed({ terminal, parsed, json }: Given, listing: Listing, version: string): Promise<void> {
  const asks = !isSet(parsed, "yes");
  const screen: Terminal = { ...terminal, isTTY: terminal.showsProgress === true };
  if (asks || !json) terminal.stderr.write(`${(listingLines({ ...listing }, screen) ?? []).join("\n")}\n`);
  if (asks && !(await confirmed(`Approve version ${version}?`, terminal))) throw new Cancelled("Nothing was decided.");
}
