import { type Declared, refused, runDeclared, serviceFlags, serviceFor } from "./call-command.ts";
import { lastOf } from "./flags.ts";
import { showReply } from "./operations/show.ts";
import { CommandError, processTerminal, type Terminal } from "./terminal.ts";

interface Listed {
  readonly data: readonly { readonly deployment_id: string; readonly revision: number }[];
}

/** A command that ends the canary of an agent that runs in the environment of the key. */
export function canaryCommand(action: "promote" | "abort") {
  const declared: Declared = {
    usage: `agents canary ${action} <agent> --reason "…"`,
    about:
      action === "promote"
        ? "The version of the agent's canary goes live."
        : "The agent's canary takes no new tasks any more. Its open tasks end on its version, or with --open-tasks move on the live one.",
    flags: [
      { name: "reason", takes: "<text>", description: "why; kept and shown" },
      ...(action === "abort"
        ? [
            {
              name: "open-tasks",
              takes: "<finish|move>",
              description: "what becomes of open tasks",
              values: ["finish", "move"],
            },
          ]
        : []),
      ...serviceFlags,
    ],
    positionals: ["agent"],
    examples: [
      `aos agents canary ${action} sales --reason "${action === "promote" ? "Its reasons are shorter." : "It guesses dates."}"`,
    ],
  };
  const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
    runDeclared(declared, args, terminal, async (given) => {
      const { parsed, argument } = given;
      const reason = lastOf(parsed, "reason");
      if (reason === undefined) throw new CommandError('Say why: --reason "…".');
      const service = await serviceFor(given);
      const path = `/v1/agents/${encodeURIComponent(argument(0))}/deployments`;
      const listed = await service.call("GET", `${path}?state=canary`);
      const fault = refused(listed, given, service.access.profile);
      if (fault !== null) return fault;
      const [canary] = (listed.body as Listed).data;
      if (!canary) throw new CommandError(`No canary of ${argument(0)} runs in the environment of your key.`);
      const open_tasks = lastOf(parsed, "open-tasks");
      const json = { action, reason, ...(open_tasks !== undefined && { open_tasks }) };
      const reply = await service.call("PATCH", `${path}/${canary.deployment_id}`, { json });
      return showReply({ operation: { id: "agents.changeDeployment" }, parsed, service, terminal }, reply);
    });
  return { flags: declared.flags, run };
}
