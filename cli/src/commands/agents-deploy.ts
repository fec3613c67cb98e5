import { type AosCommand, type Given, number } from "../command.ts";
import { serviceFor } from "../http.ts";
import { showReply } from "../operations/show.ts";
import { CommandError } from "../terminal.ts";

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Deploys a version in the environment of your key: replaces the live one, or with --canary takes a share of new
tasks beside it. The service aborts a canary that is worse, and promotes one that is no worse, unless --by-hand
leaves that to you.`,
    )
    .option("--version <number>", "the version", number)
    .option("--canary <percent>", "the share of new tasks that goes to it; default: all", number)
    .option("--tolerance <share>", "a drop that still counts as no worse; default: 0.05", number)
    .option("--by-hand", "a person promotes it")
    .option("--note <text>", "reason, kept with the deployment")
    .serviceOptions()
    .examples("aos agents deploy sales --version 2 --canary 10", "aos agents deploy sales --version 2")
    .run(run);

async function run(given: Given): Promise<number> {
  const { options, argument } = given;
  const { version, canary: share, tolerance, note } = options;
  if (version === undefined)
    throw new CommandError(`Name the version: --version <number>; aos agents versions list ${argument(0)} shows them.`);
  const rule = {
    ...(tolerance !== undefined && { tolerance }),
    ...(options.byHand && { promote: "by_hand" }),
  };
  const canary = share === undefined ? {} : { mode: "canary", share };
  const json = {
    version,
    ...canary,
    ...(Object.keys(rule).length > 0 && { rule }),
    ...(note !== undefined && { note }),
  };
  const service = await serviceFor(given);
  const reply = await service.call("POST", `/v1/agents/${encodeURIComponent(argument(0))}/deployments`, { json });
  return showReply({ ...given, operation: { id: "agents.deployVersion" }, service }, reply);
}
