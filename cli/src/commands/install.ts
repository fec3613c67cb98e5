import type { AosCommand, Given } from "../command.ts";
import type { Service } from "../http.ts";
import { ask, inMarketplace, listingId, listingPath, type PreviewShown } from "../marketplace/calls.ts";
import { carryOutConsent } from "../marketplace/consent.ts";

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Installs a listing of the marketplace, named by its name or id (lst_…): shows who signed it, the permissions
that it needs and what it would create, and asks for confirmation. Its parts become drafts; nothing runs. --set-
up also does the next steps: trains and evaluates it here, and deploys it if its gate opens.`,
    )
    .option("--version <version>", "the version; default: the newest approved one")
    .option("--suffix <suffix>", "put behind every name that it makes, such as -2")
    .option("--agent <agent>", "for tool sets and datasets: the agent that gets them")
    .option("-y, --yes", "agrees to the permissions without being asked")
    .option("--set-up", "then follows the next steps: trains, measures, deploys")
    .option("--dry-run", "shows what it asks for and would make, and makes nothing")
    .serviceOptions()
    .examples("aos install support-routing --set-up", "aos install invoice-triage --suffix=-2 --yes")
    .run((given) => inMarketplace(given, run));

async function run(given: Given, service: Service): Promise<number> {
  const { options, argument } = given;
  const listing = await listingId(service, argument(0), "approved");
  const named = Object.fromEntries(
    ["version", "suffix", "agent"].flatMap((name) => {
      const value = options[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const preview = await ask<PreviewShown>(service, "POST", listingPath(listing, "preview"), { json: named });
  const { version: _version, ...body } = named;
  return carryOutConsent({
    given,
    service,
    preview,
    body,
    question: `Install ${preview.title} ${preview.version} with these permissions?`,
    path: listingPath(listing, "install"),
  });
}
