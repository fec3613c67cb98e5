import { type Declared, serviceFlags } from "../call-command.ts";
import { lastOf } from "../flags.ts";
import { listingPath, mustBeFine, runMarketplace } from "../marketplace/calls.ts";
import { listing as listingLines } from "../output/marketplace-summaries.ts";
import { problemOf } from "../problems.ts";
import { exits, processTerminal, readInput, type Terminal } from "../terminal.ts";

const declared: Declared = {
  usage: "marketplace import <file>",
  about: `Submits a bundle that another installation made, as a new listing, or as a new version of the listing of its publisher and name. Its signature and
its contents are checked, and it can be installed once another person has approved it.`,
  flags: [
    { name: "visibility", takes: "<visibility>", description: "who gets its file", values: ["private", "public"] },
    { name: "note", takes: "<text>", description: "for whoever reviews it" },
    ...serviceFlags,
  ],
  positionals: ["file"],
  examples: ["aos marketplace import support-routing-1.0.0.aosbundle"],
};
export const { flags } = declared;

/** `aos marketplace import`. Returns the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runMarketplace(declared, args, terminal, async ({ parsed, argument, json }, service) => {
    const file = await readInput(argument(0), terminal);
    const note = lastOf(parsed, "note");
    const visibility = lastOf(parsed, "visibility");
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
  });
