import { type Declared, type Given, runDeclared, serviceFlags, serviceFor } from "../call-command.ts";
import { isSet, lastOf } from "../flags.ts";
import { exitOf, problemOf } from "../problems.ts";
import { lookForConnections } from "../promote/connections.ts";
import { deploy } from "../promote/deploy.ts";
import { evaluate } from "../promote/evaluate.ts";
import { bringGate } from "../promote/gate.ts";
import { bringKnowledge, type Documents, readDocuments } from "../promote/knowledge.ts";
import { ask, commandWith, type Definition, type Promotion, Refused, type Side } from "../promote/promotion.ts";
import { Report } from "../promote/report.ts";
import { findTarget, sideOf } from "../promote/sides.ts";
import { CommandError, exits, painter, processTerminal, type Terminal } from "../terminal.ts";

const environments = ["development", "staging", "production"];

const declared: Declared = {
  usage: "agents promote <agent> --to <environment>",
  about: `Brings a version of an agent from the environment of your key to another one and deploys it there: makes the knowledge bases that it uses, looks for
its connections, sets the evaluation gate where there is none, runs the version over the gate's datasets there, and deploys it when the gate is open.
What is missing is named with the command that puts it right. Promoting again does only what is left to do.

The key for the other environment is the one of the profile of its name (aos login --profile production), of --to-profile or of --to-key-file.`,
  flags: [
    { name: "to", takes: "<environment>", description: "the target environment", values: environments },
    {
      name: "to-profile",
      takes: "<name>",
      description: "the profile with the target's key; default: the environment's name",
    },
    { name: "to-key-file", takes: "<file>", description: "a file with the target's key" },
    {
      name: "version",
      takes: "<number>",
      description: "the version; default: the live one in your key's environment",
    },
    {
      name: "documents",
      takes: "<base>=<file>",
      multiple: true,
      description: "documents for a knowledge base there: a JSON or YAML list, or JSON lines, each with external_id",
    },
    { name: "note", takes: "<text>", description: "reason, kept with the deployment" },
    { name: "dry-run", boolean: true, description: "shows what would be done without changing anything" },
    ...serviceFlags.map((flag) =>
      flag.name === "json" ? { ...flag, description: "every step with its result, as JSON" } : flag,
    ),
  ],
  positionals: ["agent"],
  examples: [
    "aos agents promote sales --to production --dry-run",
    "aos agents promote sales --to production --documents leads=leads.json",
  ],
};
export const { flags } = declared;

/** `aos agents promote`. Answers the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runDeclared(declared, args, terminal, async (given) => {
    const { parsed, json, argument } = given;
    const report = new Report(terminal, json);
    const asked = askedOf(given);
    const documents = await readDocuments(parsed.values.get("documents") ?? [], terminal);
    const about = { agent: argument(0), version: null as number | null, from: null as string | null, to: asked.to };
    let live = false;
    let dispatch = "";
    let exit: number = exits.failed;
    try {
      const promotion = await begin(given, asked, report);
      dispatch = `${commandWith(promotion.target, "tasks", "dispatch", argument(0))} <skill> …`;
      Object.assign(about, { version: promotion.version, from: promotion.source.environment });
      live = await carryOut(promotion, documents);
      exit = report.blocked ? exits.failed : exits.done;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      report.add("call", "refused", tellRefusal(error), error.remedy);
      exit = exitOf(error.problem);
    }
    if (json)
      terminal.stdout.write(
        `${JSON.stringify({ ...about, dry_run: asked.dryRun, live, steps: report.steps }, null, 2)}\n`,
      );
    else terminal.stdout.write(`${closing(report, about, { live, dryRun: asked.dryRun, dispatch }, terminal)}\n`);
    return exit;
  });

interface Asked {
  readonly to: string;
  readonly version: number | undefined;
  readonly dryRun: boolean;
}

function askedOf({ parsed }: Given): Asked {
  const to = lastOf(parsed, "to");
  if (to === undefined || !environments.includes(to))
    throw new CommandError(`Set the target with --to: ${environments.join(", ")}.`);
  const version = lastOf(parsed, "version");
  if (version !== undefined && !/^[1-9]\d{0,9}$/.test(version))
    throw new CommandError(`--version takes a version number, not ${JSON.stringify(version)}.`);
  return { to, version: version === undefined ? undefined : Number(version), dryRun: isSet(parsed, "dry-run") };
}

/** Finds both environments and the version. Throws a CommandError, or Refused. */
async function begin(given: Given, asked: Asked, report: Report): Promise<Promotion> {
  const { parsed, terminal, argument, json } = given;
  const agent = argument(0);
  const source = await sideOf(await serviceFor(given));
  if (source.environment === asked.to)
    throw new CommandError(`Your key is for ${asked.to}. Use a key of the environment to promote from.`);
  const version = asked.version ?? (await liveVersion(source, agent));
  const key = { to: asked.to, profile: lastOf(parsed, "to-profile"), keyFile: lastOf(parsed, "to-key-file") };
  const target = await findTarget(source, key, terminal);
  if (!json)
    terminal.stdout.write(
      `${painter(terminal).strong(`${agent}, version ${version}: ${source.environment} → ${asked.to}`)}\n`,
    );
  return { agent, version, note: lastOf(parsed, "note"), source, target, dryRun: asked.dryRun, report, terminal };
}

async function liveVersion(source: Side, agent: string): Promise<number> {
  const path = `/v1/agents/${encodeURIComponent(agent)}`;
  const { deployment } = await ask<{ deployment: { version: number } | null }>(source, "GET", path);
  if (deployment !== null) return deployment.version;
  const { data } = await ask<{ data: readonly { version: number }[] }>(source, "GET", `${path}/versions?limit=1`);
  const newest = data[0]?.version;
  const next =
    newest === undefined
      ? `aos agents versions freeze ${agent} --note "First."`
      : `aos agents promote ${agent} --version ${newest} …`;
  throw new CommandError(
    `No version of ${agent} is live in ${source.environment}. ${newest === undefined ? "Freeze one first" : "Choose one"}:\n  ${next}`,
  );
}

interface Version {
  readonly version_id: string;
  readonly definition: Definition;
}

/** The steps, in their order. What is missing is gathered before anything is run; nothing is deployed over it. */
async function carryOut(promotion: Promotion, documents: Documents): Promise<boolean> {
  const { report } = promotion;
  const definition = await sameVersion(promotion);
  if (definition === null) return false;
  await bringKnowledge(promotion, definition, documents);
  await lookForConnections(promotion, definition);
  const gate = await bringGate(promotion, definition);
  if (report.blocked) return false;
  if (gate !== null) await evaluate(promotion, gate);
  if (report.blocked) return false;
  return deploy(promotion);
}

/** The definition; null where the target is another installation, which has versions of its own. */
async function sameVersion({ agent, version, source, target, report }: Promotion): Promise<Definition | null> {
  const path = `/v1/agents/${agent}/versions/${version}`;
  const here = await ask<Version>(source, "GET", path);
  const reply = await target.service.call("GET", path);
  const problem = problemOf(reply);
  if (problem !== null && problem.status !== 404) throw new Refused(problem, target.service);
  if (problem === null && (reply.body as Version).version_id === here.version_id) {
    report.add(
      "version",
      "already",
      `${here.version_id}, the same in ${target.environment}: versions belong to the organization.`,
    );
    return here.definition;
  }
  report.add(
    "version",
    "missing",
    `${target.service.access.url} is another installation and does not have this version. Create it there from the agent's file, then evaluate and deploy it:`,
    [
      `${commandWith(source, "agents", "get", agent)} --yaml > ${agent}.yaml`,
      `${commandWith(target, "agents", "apply", "-f", `${agent}.yaml`)} --note "Version ${version} of ${source.environment}."`,
    ],
  );
  return null;
}

const tellRefusal = ({ problem }: Refused): string =>
  `${problem.detail} ${(problem.gate?.reasons ?? []).join(" ")} (${[problem.code, problem.audit_ref].filter(Boolean).join(", ")})`.replaceAll(
    / +/g,
    " ",
  );

function closing(
  report: Report,
  { agent, to }: { agent: string; to: string },
  { live, dryRun, dispatch }: { live: boolean; dryRun: boolean; dispatch: string },
  terminal: Terminal,
): string {
  const paint = painter(terminal);
  const missing = report.steps.filter(({ state }) => state === "missing" || state === "refused").length;
  if (missing > 0)
    return paint.removed(
      `${agent} was not deployed in ${to}: ${missing} ${missing === 1 ? "problem" : "problems"} found. Fix ${missing === 1 ? "it" : "them"}, then run the same command again.`,
    );
  if (dryRun) return "Nothing was changed. Run the command without --dry-run to apply it.";
  return live ? `${paint.added(`${agent} is live in ${to}.`)} Dispatch tasks with a key of ${to}: ${dispatch}` : "";
}
