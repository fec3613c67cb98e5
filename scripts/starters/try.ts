import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { createClient } from "@aos/sdk";
import { membersOf } from "../../server/src/kernel/stored-json.ts";
import { createCleanUp } from "../clean-up.ts";
import { findTarget, type Target } from "../journeys/target.ts";
import { faultsOf } from "./faults.ts";
import { readStarter, starterNames, startersFolder } from "./files.ts";
import { type Course, failuresOf, make } from "./make.ts";
import { lineOf, type Report, scorecardOf } from "./report.ts";
import { tryTasks } from "./tasks.ts";

const usage = `Usage: sh bin/run scripts/starters/try.ts [<name>...] [--json] [--failures] [--scorecard]

Installs starters from the catalogue of a service and follows their next steps: trains, measures, and deploys them where the gate opens; then dispatches their three
tasks. All starters that are agents, unless some are named. The service is the one that AOS_URL and AOS_KEY name, or one that is started for it and removed.

  --json      the reports, with what a scorecard says, as JSON on standard output
  --failures  with the items that a scorer did not pass
  --scorecard writes scorecard.json into the folder of each starter whose gate opened and whose tasks gave what is expected

Exit status: 0 every gate opened and every task gave what is expected, 1 not so, 2 wrong usage.
`;

interface Options {
  readonly names: readonly string[];
  readonly json: boolean;
  readonly failures: boolean;
  readonly scorecard: boolean;
}

async function readOptions(args: string[]): Promise<Options | null> {
  const flag = { type: "boolean", default: false } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: flag, failures: flag, scorecard: flag, help: { ...flag, short: "h" } },
  });
  if (values.help) return null;
  return {
    names: positionals.length > 0 ? positionals : await starterNames(),
    json: values.json,
    failures: values.failures,
    scorecard: values.scorecard,
  };
}

/** Makes one starter and tries it; throws an Error where its files do not fit or the service refuses. */
export async function tryStarter(
  name: string,
  target: Target,
  say: (line: string) => void,
  failures = false,
): Promise<Report> {
  const starter = await readStarter(name);
  const faults = faultsOf(starter);
  if (faults.length > 0) throw new Error(`starters/${name} does not fit:\n  ${faults.join("\n  ")}`);
  const suffix = target.own ? "" : `-${randomBytes(3).toString("hex")}`;
  const aos = createClient({ baseUrl: target.url, key: target.key });
  const course: Course = { aos, target, say: (line) => say(`${name}: ${line}`), suffix };
  const made = await make(course, starter);
  const circumstances = { made_at: new Date().toISOString(), service_version: await serviceVersion(), suffix };
  const failed = failures ? await Promise.all(made.runs.map(({ run }) => failuresOf(course, run.run_id))) : [];
  return {
    starter: name,
    scorecard: scorecardOf(starter, made, circumstances),
    gate_reasons: made.gate.reasons,
    tasks: made.gate.state === "open" ? await tryTasks(course, starter, made.agent) : [],
    ...(failures && { failures: failed.flat() }),
  };
}

async function serviceVersion(): Promise<string> {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  return String(membersOf(text).version);
}

/** Whether the gate opened and each task gave what is expected. */
export const isProved = ({ scorecard, tasks }: Report): boolean =>
  scorecard.gate?.state === "open" &&
  tasks.every(({ status, disagrees }) => status === "completed" && disagrees.length === 0);

async function writeScorecard({ starter, scorecard }: Report): Promise<void> {
  await writeFile(path.join(startersFolder, starter, "scorecard.json"), `${JSON.stringify(scorecard, null, 2)}\n`);
}

async function main(args: string[]): Promise<number> {
  const cleanUp = createCleanUp();
  try {
    const options = await readOptions(args);
    if (!options) {
      process.stdout.write(usage);
      return 0;
    }
    const say = (line: string) => void process.stderr.write(`${line}\n`);
    const target = await findTarget(process.env, cleanUp.add);
    say(target.what);
    const reports: Report[] = [];
    for (const name of options.names) {
      const report = await tryStarter(name, target, say, options.failures);
      if (options.scorecard && isProved(report)) await writeScorecard(report);
      reports.push(report);
    }
    process.stdout.write(
      options.json ? `${JSON.stringify(reports, null, 2)}\n` : `${reports.map(lineOf).join("\n")}\n`,
    );
    return reports.every(isProved) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS") ? 2 : 1;
  } finally {
    await cleanUp.end();
  }
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
