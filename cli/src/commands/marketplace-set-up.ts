import type { AosCommand, Given } from "../command.ts";
import type { Service } from "../http.ts";
import { inMarketplace, installId } from "../marketplace/calls.ts";
import { storyOf } from "../marketplace/consent.ts";
import { setUp } from "../marketplace/set-up.ts";

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Does the next steps of an install, named by its listing's name or its id (ins_…): trains it, evaluates it, and
deploys it if its gate opens. Lists the steps that people must do; run it again to continue.`,
    )
    .serviceOptions()
    .examples("aos marketplace set-up support-routing")
    .run((given) => inMarketplace(given, run));
async function run({ argument, json, terminal }: Given, service: Service): Promise<number> {
  return setUp(storyOf(terminal, service, json), await installId(service, argument(0)));
}
