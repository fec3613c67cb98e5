import { type Declared, runDeclared, serviceFlags, serviceFor } from "../call-command.ts";
import { lastOf } from "../flags.ts";
import { showReply } from "../operations/show.ts";
import { CommandError, processTerminal, type Terminal } from "../terminal.ts";

const declared: Declared = {
  usage: "agents deploy <agent> --version <number> [--canary <percent>]",
  about: `Deploys a version in the environment of your key: in the place of the live one, or with --canary as a canary that takes a share of new tasks
beside it. A canary that is worse is aborted by the service; one that is no worse is promoted, unless --by-hand leaves that to you.`,
  flags: [
    { name: "version", takes: "<number>", description: "the version" },
    { name: "canary", takes: "<percent>", description: "the share of new tasks that goes to it; left out: all" },
    { name: "tolerance", takes: "<share>", description: "a drop that still counts as no worse; default 0.05" },
    { name: "by-hand", boolean: true, description: "a person promotes it" },
    { name: "note", takes: "<text>", description: "reason, kept with the deployment" },
    ...serviceFlags,
  ],
  positionals: ["agent"],
  examples: ["aos agents deploy sales --version 2 --canary 10", "aos agents deploy sales --version 2"],
};
export const { flags } = declared;

/** `aos agents deploy`. Answers the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runDeclared(declared, args, terminal, async (given) => {
    const { parsed, argument } = given;
    const number = (name: string): number | undefined => {
      const text = lastOf(parsed, name);
      if (text === undefined) return undefined;
      if (text.trim() === "" || !Number.isFinite(Number(text)))
        throw new CommandError(`--${name} takes a number, not "${text}".`);
      return Number(text);
    };
    const version = number("version");
    if (version === undefined)
      throw new CommandError(
        `Name the version: --version <number>; aos agents versions list ${argument(0)} shows them.`,
      );
    const [share, tolerance, note] = [number("canary"), number("tolerance"), lastOf(parsed, "note")];
    const rule = {
      ...(tolerance !== undefined && { tolerance }),
      ...(lastOf(parsed, "by-hand") === "true" && { promote: "by_hand" }),
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
    return showReply({ operation: { id: "agents.deployVersion" }, parsed, service, terminal }, reply);
  });
