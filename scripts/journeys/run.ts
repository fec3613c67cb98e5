import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { cpus, release, type } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { table } from "../../server/bench/report.ts";
import { createCleanUp } from "../clean-up.ts";
import { createCall } from "./client.ts";
import { runCold } from "./cold.ts";
import { addRecords, type Course, deploy, evaluate, makeAgent, review, train } from "./course.ts";
import { type Row, readCsv } from "./csv.ts";
import type { Journey } from "./definition.ts";
import { type Figures, type JudgedTask, judgeTask, taskFigures } from "./figures.ts";
import { proveTasks, trustedKey } from "./proofs.ts";
import { shuffled, split } from "./split.ts";
import { findTarget } from "./target.ts";
import { runWave } from "./tasks.ts";

/** Of the cases that are not tasks, how many become the gate's dataset. Of the tasks, how many people judge before the others run. */
const TESTED = 200;
const REVIEWED = 300;
/** Tasks of which every audit record is proved. */
const PROVED = 12;

const usageOf = ({
  name,
  about,
  tasks,
}: Journey): string => `Usage: npm run journey:${name} -- <data.csv> [--tasks <n>] [--reviewed <n>] [--cold <n>] [--seed <n>] [--json]

${about}
Everything goes through the public interface of a service: of one that AOS_URL and AOS_KEY name, or of one that is started for it and removed.

  --tasks     how many rows become tasks; nothing is learnt from them (${tasks})
  --reviewed  how many of these are judged by people before the others run (${REVIEWED})
  --cold      how many tasks a model is given at once that the process has not loaded yet, and again when it has (0)
  --seed      decides which rows these are (1)
  --json      the figures as one JSON object on standard output
`;

interface Options {
  readonly file: string;
  readonly tasks: number;
  readonly reviewed: number;
  readonly cold: number;
  readonly seed: number;
  readonly json: boolean;
}

class UsageError extends Error {}

/** Runs a journey as a command. Answers the exit status: 0 all tasks completed and all proofs held, 1 not so or it broke off, 2 wrong usage. */
export async function runJourney(journey: Journey, args: string[]): Promise<number> {
  const cleanUp = createCleanUp();
  try {
    const options = readOptions(journey, args);
    if (options === null) return 0;
    const rows = await readRows(journey, options.file);
    return await travel(journey, options, rows, cleanUp.add);
  } catch (error) {
    const usage = error instanceof UsageError;
    process.stderr.write(
      usage ? `${error.message}\n\n${usageOf(journey)}` : `The journey broke off: ${(error as Error).message}\n`,
    );
    return usage ? 2 : 1;
  } finally {
    await cleanUp.end();
  }
}

function readOptions(journey: Journey, args: string[]): Options | null {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  let parsed: ReturnType<typeof parse>;
  const parse = () =>
    parseArgs({
      args,
      allowPositionals: true,
      options: { tasks: text, reviewed: text, cold: text, seed: text, json: flag, help: { ...flag, short: "h" } },
    });
  try {
    parsed = parse();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { values, positionals } = parsed;
  if (values.help) {
    process.stdout.write(usageOf(journey));
    return null;
  }
  const [file] = positionals;
  if (file === undefined || positionals.length > 1)
    throw new UsageError("Name one file: the data is not part of the project.");
  const count = (name: "tasks" | "reviewed" | "cold" | "seed", standard: number, least: number): number => {
    const value = values[name] === undefined ? standard : Number(values[name]);
    if (!Number.isSafeInteger(value) || value < least)
      throw new UsageError(`--${name} takes a whole number from ${least}.`);
    return value;
  };
  const tasks = count("tasks", journey.tasks, 2);
  const reviewed = count("reviewed", Math.min(REVIEWED, tasks >> 1), 0);
  if (reviewed >= tasks) throw new UsageError("--reviewed leaves no task to run afterwards; take fewer than --tasks.");
  return { file, tasks, reviewed, cold: count("cold", 0, 0), seed: count("seed", 1, 0), json: values.json };
}

/** The data's rows. npm runs scripts in the project's folder; the path is meant from where npm was called. */
async function readRows(journey: Journey, file: string): Promise<Row[]> {
  const where = path.resolve(process.env.INIT_CWD ?? "", file);
  let rows: Row[];
  try {
    rows = readCsv(await readFile(where, "utf8"));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(code === undefined ? `${file}: ${message}` : `${file} cannot be read (${code}).`);
  }
  const missing = journey.columns.filter((column) => !(column in (rows[0] ?? {})));
  if (missing.length > 0) throw new UsageError(`${file} lacks the columns ${missing.join(", ")}.`);
  return rows;
}

async function travel(
  journey: Journey,
  options: Options,
  rows: readonly Row[],
  onEnd: (clean: () => Promise<unknown>) => void,
): Promise<number> {
  const { seed } = options;
  const out = options.json ? process.stderr : process.stdout;
  const say = (line: string): void => void out.write(`${line}\n`);
  const configuration = {
    data: `${rows.length.toLocaleString("en")} rows of ${path.basename(options.file)}`,
    split: `${options.tasks} tasks, ${options.reviewed} of them judged before the others run; seed ${seed}`,
    machine: `${cpus()[0]?.model.trim() ?? "unknown processor"}, ${cpus().length} cores, ${type()} ${release()}, Node ${process.version}`,
  };
  for (const line of Object.values(configuration)) say(line);
  const target = await findTarget(process.env, onEnd);
  say(`${target.what}\n`);
  const suffix = target.own ? "" : `-${Date.now().toString(36)}`;
  const course: Course = { call: createCall(target.url, target.key, randomUUID), journey, say, suffix, seed };
  const { figures, failures } = await measure(course, options, rows);
  if (!target.own) say("\nThe agent, its dataset and its knowledge base stay in that service.");
  const results = journey.results(figures);
  const colour = process.stdout.isTTY === true && !process.env.NO_COLOR;
  say(`\n${table([{ figure: `journey:${journey.name}`, results, broken: null }], colour && !options.json)}`);
  for (const [how, count] of Object.entries(figures.all.others)) say(`${count} tasks ended ${how}`);
  for (const failure of failures) say(`not proved: ${failure}`);
  if (options.json)
    process.stdout.write(
      `${JSON.stringify({ journey: journey.name, configuration: { ...configuration, service: target.what }, results, figures }, null, 2)}\n`,
    );
  return figures.all.completed === figures.all.dispatched && failures.length === 0 ? 0 : 1;
}

async function measure(
  course: Course,
  options: Options,
  rows: readonly Row[],
): Promise<{ figures: Figures; failures: readonly string[] }> {
  const { journey, call, say, seed } = course;
  const cases = journey.cases(rows);
  const { train: known, rest: asked } = split(cases, options.tasks, seed);
  const { train: examples, rest: tested } = split(known, Math.min(TESTED, Math.floor(known.length / 10)), seed + 1);
  const key = await trustedKey(call);
  const records = await addRecords(course, cases);
  const made = await makeAgent(course, cases);
  const trained = await train(course, made, examples);
  const cold = options.cold === 0 ? null : await runCold(course, made, trained.version, asked.slice(0, options.cold));
  const gate = await evaluate(course, made, trained.version, tested);
  await deploy(course, made, trained.version, tested.length);
  const judged: JudgedTask[] = [];
  let taskSeconds = 0;
  const wave = async (label: string, from: number, to: number): Promise<JudgedTask[]> => {
    const these = asked.slice(from, to);
    if (these.length === 0) return [];
    const { tasks, seconds } = await runWave(call, { ...made, label, cases: these });
    const ended = tasks.map((task, at) => judgeTask(task, journey.field, these[at]?.output[journey.field]));
    const { completed, accuracy, trust } = taskFigures(ended);
    say(
      `${completed} of ${ended.length} tasks completed in ${seconds.toFixed(1)} s; ${accuracy?.toFixed(3)} right, ECE of the trust score ${trust.ece?.toFixed(3)}`,
    );
    judged.push(...ended);
    taskSeconds += seconds;
    return ended;
  };
  const first = await wave("first", 0, options.reviewed);
  if (first.length > 0) await review(course, made, first);
  const rest = await wave("rest", options.reviewed, asked.length);
  const proved = await proveTasks(
    call,
    key,
    shuffled(judged, seed)
      .slice(0, PROVED)
      .map(({ task }) => task),
  );
  say(`${proved.verified} of ${proved.records} audit records of ${Math.min(PROVED, judged.length)} tasks proved`);
  const figures: Figures = {
    records,
    examples: examples.length,
    training: trained.figures,
    gate,
    cold,
    first: taskFigures(first),
    rest: taskFigures(rest),
    all: taskFigures(judged),
    taskSeconds,
    proofs: proved,
  };
  return { figures, failures: proved.failures };
}
