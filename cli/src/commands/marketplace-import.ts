import { Option } from "commander";
import type { AosCommand, Given } from "../command.ts";
import type { Service } from "../http.ts";
import { inMarketplace, listingPath, mustBeFine } from "../marketplace/calls.ts";
import { listing as listingLines } from "../output/marketplace-summaries.ts";
import { problemOf } from "../problems.ts";
import { exits, readInput } from "../terminal.ts";

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Submits a bundle of another installation as a new listing, or as a new version of its publisher's listing of the
same name. Its signature and contents are checked; it can be installed once another person has approved it.`,
    )
    .addOption(new Option("--visibility <visibility>", "who gets its file").choices(["private", "public"]))
    .option("--note <text>", "for whoever reviews it")
    .serviceOptions()
    .examples("aos marketplace import support-routing-1.0.0.aosbundle")
    .run((given) => inMarketplace(given, run));

async function run({ options, argument, json, terminal }: Given, service: Service): Promise<number> {
  const file = await readInput(argument(0), terminal);
  const note = options.note;
  const visibility = options.visibility;
  const body = { file, ...(note === undefined ? {} : { note }) };
  let reply = await service.call("POST", "/v1/marketplace/listings", {
    json: { ...body, ...(visibility === undefined ? {} : { visibility }) },
  });
  const { listing_id } = (reply.body ?? {}) as { listing_id?: string };
  if (problemOf(reply)?.code === "listing_exists" && listing_id !== undefined)
    reply = await service.call("POST", listingPath(listing_id, "versions"), { json: body });
  mustBeFine(reply);
  const listing = reply.body as { listing_id: string; name: string };
  const shown = json ? JSON.stringify(listing, null, 2) : (listingLines({ ...listing }, terminal) ?? []).join("\n");
  terminal.stdout.write(`${shown}\n`);
  if (!json) terminal.stderr.write(`Another person approves it with: aos marketplace approve ${listing.name}\n`);
  return exits.done;
}
