/**
 * What `npm test` runs, with Vitest. Files named `*.slow.test.ts` kill processes, drive a browser, pack tarballs or fill large tables; they run with `--all` or when named.
 *
 *     npm test                        all but the slow tests, on the embedded PostgreSQL
 *     npm test -- --all               all tests
 *     npm test -- --all .slow.        the slow tests only
 *     npm test -- server/src/db       the test files whose path contains that; other options of `vitest run` work as well
 *     npm test -- --postgres 15       on the programs of an installed PostgreSQL (Debian's package postgresql-15), started in a temporary folder
 *     TEST_DATABASE_URL=… npm test    on a running PostgreSQL, as a user that may create databases
 *     AOS_PROPERTY_RUNS=1000 npm test   tries each property that often instead of 50 times
 *
 * With CI=true what failed is tried a second time. The last line is `<n> passed, <n> failed`. The exit code is 1 where anything failed or nothing ran.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseCLI, startVitest } from "vitest/node";
import { type PostgresPrograms, requirePostgres } from "./postgres-programs.ts";
import { filesToRepeat, isSuccess, lastLine, type Run, type Tally, TallyReporter, tallyOf } from "./test-reporter.ts";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

/** Takes `--postgres <major>` out of the arguments and answers the folder of those programs. */
function chosenPostgres(args: string[]): PostgresPrograms | undefined {
  const at = args.findIndex((argument) => argument === "--postgres" || argument.startsWith("--postgres="));
  if (at < 0) return undefined;
  const [option = ""] = args.splice(at, 1);
  const major = option.includes("=") ? option.slice("--postgres=".length) : (args.splice(at, 1)[0] ?? "");
  if (!/^\d+$/.test(major)) throw new Error("--postgres needs the major release to test on, such as --postgres 15.");
  return requirePostgres(major);
}

/** Takes `--all` out of the arguments. */
function takeAll(args: string[]): boolean {
  const at = args.indexOf("--all");
  if (at >= 0) args.splice(at, 1);
  return at >= 0;
}

async function runOnce(filter: string[], options: object): Promise<Run> {
  const reporter = new TallyReporter();
  const vitest = await startVitest("test", filter, { ...options, watch: false, reporters: ["default", reporter] });
  await vitest.close();
  for (const process of reporter.run.lost) console.log(`A process of the tests was lost: ${process}`);
  return reporter.run;
}

async function runTests(args: string[]): Promise<Tally> {
  const postgres = chosenPostgres(args);
  if (postgres !== undefined) process.env.TEST_POSTGRES_PROGRAMS = `${postgres.major}:${postgres.folder}`;
  const all = takeAll(args);
  const { filter, options } = parseCLI(["vitest", "run", ...args]);
  process.env.AOS_TEST_ALL = String(all || filter.some((one) => one.includes(".slow")));
  const folder = await mkdtemp(path.join(tmpdir(), "aos-run-"));
  const recorded = path.join(folder, "recorded-errors");
  process.env.AOS_RECORDED_ERRORS = recorded;
  try {
    const tally = await runTwice(filter, options);
    // Only where all ordinary tests ran.
    const faults = args.length === 0 ? await (await import("./declared-errors.ts")).errorFaults(recorded) : [];
    return { ...tally, failed: tally.failed + faults.length, broken: [...tally.broken, ...faults] };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Machines of continuous integration stall, and some tests watch whole processes: there, files in which something failed run once more when all others are over, with a
 * database of their own again, and the report names what needed it.
 */
async function runTwice(filter: string[], options: object): Promise<Tally> {
  const first = await runOnce(filter, options);
  const again = process.env.CI === "true" ? filesToRepeat(first) : [];
  if (again.length === 0) return tallyOf(first);
  console.log(`Once more:\n${again.map((file) => `  ${path.relative(".", file)}`).join("\n")}`);
  return tallyOf(first, await runOnce(again, { ...options, shard: undefined }));
}

let tally: Tally = { passed: 0, failed: 1, skipped: 0, again: [], broken: [] };
try {
  tally = await runTests(process.argv.slice(2));
  if (tally.again.length > 0)
    console.log(`Passed at the second try only:\n${tally.again.map((name) => `  ${name}`).join("\n")}`);
  if (tally.broken.length > 0) console.log(`Failed:\n${tally.broken.map((name) => `  ${name}`).join("\n")}`);
  if (tally.skipped > 0) console.log(`${tally.skipped} skipped`);
  if (tally.passed + tally.failed === 0) console.log("No test ran.");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
}
// Ends here in any case: a handle that a test left open must not keep the run from ending.
process.stdout.write(`${lastLine(tally)}\n`, () => process.exit(isSuccess(tally) ? 0 : 1));
