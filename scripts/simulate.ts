/**
 * What `npm run simulate` runs: how often the evaluation gate stops what is harmless and misses what is not, how often its sequential test errs under
 * peeking, and how well trust scores hold on streams of tasks as they happen. Less than a minute, no database, the same tables for the same seed.
 *
 *     npm run simulate                    the tables
 *     npm run simulate -- canary          only how canaries fare whose truth is known
 *     npm run simulate -- --seed 7        with other random numbers
 *     npm run simulate -- --quick         fewer runs: shows that everything works, not how well
 *     npm run simulate -- --json          everything as one JSON object on standard output
 *     npm run simulate -- --data ../data  trust over predictions of the built-in model, trained there and then on banking77.csv in that folder, with the
 *                                         questions of cranfield/queries.jsonl as another subject; AOS_SIMULATE_DATA names the folder as well
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { canaryConfig } from "../server/src/features/agents/deployments/canaries/compare.ts";
import { canaryCases, canaryTable, simulateCanary } from "./simulate/canary.ts";
import { realModels } from "./simulate/predictions.ts";
import { fullSizes, quickSizes, simulate } from "./simulate/run.ts";
import { simulationTables } from "./simulate/tables.ts";

const usage = "Usage: npm run simulate -- [canary] [--seed <whole number>] [--quick] [--json] [--data <folder>]\n";

async function main(args: string[]): Promise<number> {
  const flag = { type: "boolean", default: false } as const;
  const data = { type: "string", default: process.env.AOS_SIMULATE_DATA ?? "" } as const;
  const options = {
    data,
    seed: { type: "string", default: "1" },
    quick: flag,
    json: flag,
    help: { ...flag, short: "h" },
  } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const seed = Number(values.seed);
  const what = positionals.join(" ");
  if (values.help || !Number.isSafeInteger(seed) || !["", "canary"].includes(what)) {
    const fault = Number.isSafeInteger(seed)
      ? `There is no simulation "${what}"`
      : `--seed is a whole number, not "${values.seed}"`;
    process.stderr.write(values.help ? usage : `${fault}.\n${usage}`);
    return values.help ? 0 : 2;
  }
  if (what === "canary") return canaries(seed, values);
  const began = performance.now();
  const say = (line: string): void => void process.stderr.write(`… ${line}\n`);
  // npm runs scripts in the project's folder; the path is meant from where npm was called.
  const models =
    values.data === "" ? undefined : await realModels(path.resolve(process.env.INIT_CWD ?? "", values.data), seed, say);
  const done = simulate(seed, values.quick ? quickSizes : fullSizes, say, models);
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(1)} s\n\n`);
  if (values.json) process.stdout.write(`${JSON.stringify(done, null, 2)}\n`);
  else process.stdout.write(`${simulationTables(done, process.stdout.isTTY === true && !process.env.NO_COLOR)}\n`);
  if (values.quick && !values.json) process.stdout.write("\nQuick: too few runs to judge by.\n");
  return 0;
}

/** Runs for each table of canaries. */
const canaryRuns = { full: 1_000, quick: 100 };

function canaries(seed: number, { quick, json }: { readonly quick: boolean; readonly json: boolean }): number {
  const runs = quick ? canaryRuns.quick : canaryRuns.full;
  const rows = canaryCases.map((one) => simulateCanary(one, runs, seed));
  process.stdout.write(
    json ? `${JSON.stringify({ seed, canaryConfig, rows }, null, 2)}\n` : `${canaryTable(rows, seed)}\n`,
  );
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // A mistyped option or folder; anything else would be a fault of the program and shows its stack.
  const { code = "" } = error as NodeJS.ErrnoException;
  if (!code.startsWith("ERR_PARSE_ARGS") && code !== "ENOENT") throw error;
  process.stderr.write(`${(error as Error).message}\n${usage}`);
  process.exitCode = 2;
}
