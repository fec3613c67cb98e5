import { setTimeout as after } from "node:timers/promises";
import { Option } from "commander";
import { type AosCommand, collect, type Given } from "../command.ts";
import { warningsIn } from "../findings-text.ts";
import { serviceFor } from "../http.ts";
import { exitOf, problemOf } from "../problems.ts";
import { lookForConnections } from "../promote/connections.ts";
import { findTarget, sideOf } from "../promote/environments.ts";
import { evaluate } from "../promote/evaluate.ts";
import { bringGate } from "../promote/gate.ts";
import { bringKnowledge, type Documents, readDocuments } from "../promote/knowledge.ts";
import { ask, commandWith, type Definition, type Promotion, Refused, type Side } from "../promote/promotion.ts";
import { Report } from "../promote/report.ts";
import { CommandError, exits, now, painter, type Terminal } from "../terminal.ts";

const environments = ["development", "staging", "production"];

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Deploys a version of an agent in another environment than that of your key: creates the knowledge bases that it
uses, checks its connections, creates the evaluation gate if there is none, runs the version over the gate's
datasets there, and deploys it when the gate is open. Whatever is missing is listed with the command that adds
it. Promoting again does only what is left to do.

The key of the other environment is that of the profile with its name (aos login --profile production), of --to-
profile or of --to-key-file.`,
    )
    .addOption(new Option("--to <environment>", "the target environment").choices(environments))
    .option("--to-profile <name>", "the profile with the target's key; default: the environment's name")
    .option("--to-key-file <file>", "a file with the target's key")
    .option("--version <number>", "the version; default: the live one in your key's environment")
    .option(
      "--documents <base>=<file>",
      "documents for a knowledge base there: a JSON or YAML list, or JSON lines, each with external_id",
      collect,
    )
    .option("--note <text>", "reason, kept with the deployment")
    .option("--dry-run", "shows what would be done without changing anything")
    .serviceOptions()
    .examples(
      "aos agents promote sales --to production --dry-run",
      "aos agents promote sales --to production --documents leads=leads.json",
    )
    .run(run);

async function run(given: Given): Promise<number> {
  const { options, json, argument, terminal } = given;
  const report = new Report(terminal, json);
  const asked = askedOf(given);
  const documents = await readDocuments(options.documents ?? [], terminal);
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
    report.add("call", "refused", refusalText(error), error.remedy);
    exit = exitOf(error.problem);
  }
  if (json)
    terminal.stdout.write(
      `${JSON.stringify({ ...about, dry_run: asked.dryRun, live, steps: report.steps }, null, 2)}\n`,
    );
  else terminal.stdout.write(`${closing(report, about, { live, dryRun: asked.dryRun, dispatch }, terminal)}\n`);
  return exit;
}

interface Asked {
  readonly to: string;
  readonly version: number | undefined;
  readonly dryRun: boolean;
}

function askedOf({ options }: Given): Asked {
  const to = options.to;
  if (to === undefined || !environments.includes(to))
    throw new CommandError(`Set the target with --to: ${environments.join(", ")}.`);
  const version = options.version;
  if (version !== undefined && !/^[1-9]\d{0,9}$/.test(version))
    throw new CommandError(`--version takes a version number, not ${JSON.stringify(version)}.`);
  return { to, version: version === undefined ? undefined : Number(version), dryRun: options.dryRun };
}

/** Finds both environments and the version. Throws a CommandError, or Refused. */
async function begin(given: Given, asked: Asked, report: Report): Promise<Promotion> {
  const { options, terminal, argument, json } = given;
  const agent = argument(0);
  const source = await sideOf(await serviceFor(given));
  if (source.environment === asked.to)
    throw new CommandError(`Your key is for ${asked.to}. Use a key of the environment to promote from.`);
  const version = asked.version ?? (await liveVersion(source, agent));
  const key = { to: asked.to, profile: options.toProfile, keyFile: options.toKeyFile };
  const target = await findTarget(source, key, terminal);
  if (!json)
    terminal.stdout.write(
      `${painter(terminal).strong(`${agent}, version ${version}: ${source.environment} → ${asked.to}`)}\n`,
    );
  return { agent, version, note: options.note, source, target, dryRun: asked.dryRun, report, terminal };
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

const refusalText = ({ problem }: Refused): string =>
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

/** Milliseconds until a verdict has reached every process of the service; a deployment may be refused before. */
const settling = 5_000;

async function deploy({ agent, version, note, source, target, dryRun, report }: Promotion): Promise<boolean> {
  const { environment, service } = target;
  if (dryRun) {
    report.add("deploy", "would", `Deploy version ${version} of ${agent} in ${environment}.`);
    return false;
  }
  const json = { version, note: note ?? `Promoted from ${source.environment}.` };
  for (const began = now(); ; await after(settling / 10)) {
    const reply = await service.call("POST", `/v1/agents/${agent}/deployments`, { json });
    const problem = problemOf(reply);
    if (problem?.code === "already_live") {
      report.add("deploy", "already", `Version ${version} is live in ${environment}.`);
      return true;
    }
    if (problem?.code === "evaluation_gate_failed" && now() - began < settling) continue;
    if (problem !== null) throw new Refused(problem, service);
    const warnings = warningsIn(reply.body).map(({ detail }) => ` Warning: ${detail}`);
    report.add("deploy", "done", `Version ${version} of ${agent} is live in ${environment}.${warnings.join("")}`);
    return true;
  }
}
