import { Option } from "commander";
import type { AosCommand, Given } from "../command.ts";
import { serviceFor } from "../http.ts";
import { showReply } from "../operations/show.ts";
import { refused } from "../problems.ts";
import { CommandError } from "../terminal.ts";

interface Listed {
  readonly data: readonly { readonly deployment_id: string; readonly revision: number }[];
}

/** `aos agents canary promote` and `aos agents canary abort`. */
export default (command: AosCommand): AosCommand => {
  command.requiredOption("--reason <text>", "why; kept and shown").serviceOptions();
  if (command.name() === "promote")
    return command
      .description("The version of the agent's canary goes live.")
      .examples('aos agents canary promote sales --reason "Its reasons are shorter."')
      .run((given) => end("promote", given));
  return command
    .description(
      "The agent's canary takes no new tasks. Its open tasks end on its version, or with --open-tasks move on the live one.",
    )
    .addOption(new Option("--open-tasks <what>", "what becomes of open tasks").choices(["finish", "move"]))
    .examples('aos agents canary abort sales --reason "It guesses dates."')
    .run((given) => end("abort", given));
};

async function end(action: "promote" | "abort", given: Given): Promise<number> {
  const { argument, options } = given;
  const service = await serviceFor(given);
  const path = `/v1/agents/${encodeURIComponent(argument(0))}/deployments`;
  const listed = await service.call("GET", `${path}?state=canary`);
  const fault = refused(listed, given, service.access.profile);
  if (fault !== null) return fault;
  const [canary] = (listed.body as Listed).data;
  if (!canary) throw new CommandError(`No canary of ${argument(0)} runs in the environment of your key.`);
  const { reason, openTasks } = options;
  const json = { action, reason, ...(openTasks !== undefined && { open_tasks: openTasks }) };
  const reply = await service.call("PATCH", `${path}/${canary.deployment_id}`, { json });
  return showReply({ ...given, operation: { id: "agents.changeDeployment" }, service }, reply);
}
