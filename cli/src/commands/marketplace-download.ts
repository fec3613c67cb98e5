import { writeFile } from "node:fs/promises";
import type { AosCommand, Given } from "../command.ts";
import type { Service } from "../http.ts";
import { ask, inMarketplace, type ListingShown, listingId, listingPath, mustBeFine } from "../marketplace/calls.ts";
import { CommandError, exits } from "../terminal.ts";

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Writes the signed file of a listing, named by its name or id (lst_…), for aos marketplace import in another
installation. Private listings cannot be downloaded.`,
    )
    .option("--version <version>", "the version; default: the one that the catalogue shows")
    .option("-o, --output <file>", "the file; default: <name>-<version>.aosbundle")
    .option("--force", "overwrites an existing file")
    .serviceOptions()
    .examples("aos marketplace download support-routing")
    .run((given) => inMarketplace(given, run));

async function run({ options, argument, terminal }: Given, service: Service): Promise<number> {
  const id = await listingId(service, argument(0));
  const listing = await ask<ListingShown>(service, "GET", listingPath(id));
  const version = options.version ?? listing.version;
  const file = options.output ?? `${listing.name}-${version}.aosbundle`;
  const parts: Uint8Array[] = [];
  const path = listingPath(id, "versions", version);
  mustBeFine(
    await service.fetch(path, "application/vnd.aos.bundle+json", async (body) => {
      for await (const part of body) parts.push(part);
    }),
  );
  await writeFile(file, Buffer.concat(parts), { flag: options.force ? "w" : "wx" }).catch((error) => {
    if (error.code === "EEXIST")
      throw new CommandError(`${file} exists. Use --force to overwrite it, or -o another file.`);
    throw new CommandError(`${file} cannot be written (${error.code}).`);
  });
  terminal.stdout.write(`${file}\n`);
  return exits.done;
}
