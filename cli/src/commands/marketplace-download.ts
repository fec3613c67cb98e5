import { writeFile } from "node:fs/promises";
import { type Declared, serviceFlags } from "../call-command.ts";
import { isSet, lastOf } from "../flags.ts";
import { ask, type ListingShown, listingId, listingPath, mustBeFine, runMarketplace } from "../marketplace/calls.ts";
import { CommandError, exits, processTerminal, type Terminal } from "../terminal.ts";

const declared: Declared = {
  usage: "marketplace download <listing>",
  about: `Writes the signed file of a listing, named by its name or id (lst_…), to carry it to another installation: aos marketplace import takes it there.
Private listings are not given out.`,
  flags: [
    { name: "version", takes: "<version>", description: "the version; default: the one that the catalogue shows" },
    { name: "output", short: "o", takes: "<file>", description: "the file; <name>-<version>.aosbundle unless told" },
    { name: "force", boolean: true, description: "overwrites an existing file" },
    ...serviceFlags.filter(({ name }) => name !== "json"),
  ],
  positionals: ["listing"],
  examples: ["aos marketplace download support-routing"],
};
export const { flags } = declared;

/** `aos marketplace download`. Returns the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runMarketplace(declared, args, terminal, async ({ parsed, argument }, service) => {
    const id = await listingId(service, argument(0));
    const listing = await ask<ListingShown>(service, "GET", listingPath(id));
    const version = lastOf(parsed, "version") ?? listing.version;
    const file = lastOf(parsed, "output") ?? `${listing.name}-${version}.aosbundle`;
    const parts: Uint8Array[] = [];
    const path = listingPath(id, "versions", version);
    mustBeFine(
      await service.fetch(path, "application/vnd.aos.bundle+json", async (body) => {
        for await (const part of body) parts.push(part);
      }),
    );
    await writeFile(file, Buffer.concat(parts), { flag: isSet(parsed, "force") ? "w" : "wx" }).catch((error) => {
      if (error.code === "EEXIST")
        throw new CommandError(`${file} exists. Use --force to overwrite it, or -o another file.`);
      throw new CommandError(`${file} cannot be written (${error.code}).`);
    });
    terminal.stdout.write(`${file}\n`);
    return exits.done;
  });
