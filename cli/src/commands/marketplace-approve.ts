import type { Output } from "@aos/sdk";
import type { AosCommand, Given } from "../command.ts";
import type { Service } from "../http.ts";
import { ask, inMarketplace, listingId, listingPath } from "../marketplace/calls.ts";
import { listing as listingLines } from "../output/marketplace-summaries.ts";
import { confirmed } from "../prompt.ts";
import { Cancelled, CommandError, exits, type Terminal } from "../terminal.ts";

type Listing = Output<"marketplace.readListing">;

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Shows a listing, named by its name or id (lst_…), and approves the version that waits for review. The submitter
cannot approve it. The digest of what was shown is sent with the decision. Its scan: aos marketplace listings
scan get <listing>.`,
    )
    .option("--reason <text>", "what you looked at, kept with the version")
    .option("--version <version>", "the version; default: the newest that waits")
    .option("--accept-findings", "approves it although its scan has errors")
    .option("-y, --yes", "approves without confirmation")
    .serviceOptions()
    .examples('aos marketplace approve support-routing --reason "Read and tried."')
    .run((given) => inMarketplace(given, run));

async function run(given: Given, service: Service): Promise<number> {
  const { terminal, options } = given;
  const reason = options.reason;
  if (reason === undefined) throw new CommandError('Say what you looked at: --reason "Read and tried."');
  const id = await listingId(service, given.argument(0));
  const listing = await ask<Listing>(service, "GET", listingPath(id));
  const version = waiting(listing, options.version);
  // The listing tells what it offers; what is decided about is another version where one is approved already.
  const query = new URLSearchParams({ version: version.version });
  await agreed(given, await ask<Listing>(service, "GET", `${listingPath(id)}?${query}`), version.version);
  const accepts = options.acceptFindings ? { accept_findings: true } : {};
  const json = { decision: "approve", version: version.version, digest: version.digest, reason, ...accepts };
  const after = await ask<Listing>(service, "POST", listingPath(id, "review"), { json });
  terminal.stdout.write(
    given.json ? `${JSON.stringify(after, null, 2)}\n` : `${listing.name} ${version.version}: approved\n`,
  );
  return exits.done;
}

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

async function agreed({ terminal, options, json }: Given, listing: Listing, version: string): Promise<void> {
  const asks = !options.yes;
  const screen: Terminal = { ...terminal, isTTY: terminal.showsProgress === true };
  if (asks || !json) terminal.stderr.write(`${(listingLines({ ...listing }, screen) ?? []).join("\n")}\n`);
  if (asks && !(await confirmed(`Approve version ${version}?`, terminal))) throw new Cancelled("Nothing was decided.");
}
