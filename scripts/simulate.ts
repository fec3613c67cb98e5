/**
 * What `npm run simulate` runs: how often the evaluation gate stops what is harmless and misses what is not, how often its sequential test errs under
 * peeking, and how well trust scores are calibrated, in worlds whose truth is known. Less than a minute, no database, the same tables for the same seed.
 *
 *     npm run simulate                    the tables
 *     npm run simulate -- --seed 7        with other random numbers
 *     npm run simulate -- --quick         fewer runs: shows that everything works, not how well
 *     npm run simulate -- --json          everything as one JSON object on standard output
 */
import { parseArgs } from "node:util";
import { fullSizes, quickSizes, simulate } from "./simulate/run.ts";
import { simulationTables } from "./simulate/tables.ts";

const usage = "Usage: npm run simulate -- [--seed <whole number>] [--quick] [--json]\n";

function main(args: string[]): number {
  const flag = { type: "boolean", default: false } as const;
  const options = { seed: { type: "string", default: "1" }, quick: flag, json: flag, help: { ...flag, short: "h" } } as const;
  const { values } = parseArgs({ args, options });
  const seed = Number(values.seed);
  if (values.help || !Number.isSafeInteger(seed)) {
    process.stderr.write(values.help ? usage : `--seed is a whole number, not "${values.seed}".\n${usage}`);
    return values.help ? 0 : 2;
  }
  const began = performance.now();
  const done = simulate(seed, values.quick ? quickSizes : fullSizes, (line) => void process.stderr.write(`… ${line}\n`));
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(1)} s\n\n`);
  if (values.json) process.stdout.write(`${JSON.stringify(done, null, 2)}\n`);
  else process.stdout.write(`${simulationTables(done, process.stdout.isTTY === true && !process.env.NO_COLOR)}\n`);
  if (values.quick && !values.json) process.stdout.write("\nQuick: too few runs to judge by.\n");
  return 0;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  // A mistyped option; anything else would be a fault of the program and shows its stack.
  if ((error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS") !== true) throw error;
  process.stderr.write(`${(error as Error).message}\n${usage}`);
  process.exitCode = 2;
}
