import type { Reporter, SerializedError, TestModule, TestSuite } from "vitest/node";

/** What a run came to. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What passed at a second try only, as `broken` named it at the first. */
  readonly again: readonly string[];
  /** What failed, by its full name, with the first line of what it says. */
  readonly broken: readonly string[];
}

/** What one file came to. */
interface FileTally extends Pick<Tally, "passed" | "skipped" | "broken"> {
  readonly path: string;
}

const neverFinished = "it never finished";
/** How the runner names the loss of one of its own processes; the files that it had not finished are broken by themselves. */
const lostProcess = /^\[vitest-pool\]/;

/** What a run came to, file by file. */
export interface Run {
  readonly files: readonly FileTally[];
  /** Errors that no test caught: they belong to no file. */
  readonly uncaught: readonly string[];
  /** Processes of tests that were lost, with the cause. */
  readonly lost: readonly string[];
}

/**
 * Notes what really happened in a run. As failed counts: a test that failed or never finished, a file that could not be loaded, a suite or file whose hooks failed
 * (a leaked connection is found there), and an error that no test caught. A process that was lost counts by the files that it had not finished.
 */
export class TallyReporter implements Reporter {
  run: Run = { files: [], uncaught: [], lost: [] };

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const [lost, uncaught] = [
      unhandled.filter(({ message }) => lostProcess.test(message)),
      unhandled.filter(({ message }) => !lostProcess.test(message)),
    ];
    this.run = {
      files: modules.map(fileTally),
      uncaught: uncaught.map(({ message }) => `an error that no test caught: ${firstLine(message)}`),
      lost: lost.map(({ message, cause }) => `${firstLine(message)} ${firstLine(String(cause?.message ?? ""))}`.trim()),
    };
  }
}

function fileTally(module: TestModule): FileTally {
  let passed = 0;
  let skipped = 0;
  const broken = brokenSuites(module);
  for (const test of module.children.allTests()) {
    const { state, errors } = test.result();
    if (state === "passed") passed += 1;
    else if (state === "skipped") skipped += 1;
    else
      broken.push(`${module.relativeModuleId} > ${test.fullName}: ${firstLine(errors?.[0]?.message ?? neverFinished)}`);
  }
  const isUnfinished = ["queued", "pending"].includes(module.state());
  if (isUnfinished && broken.length === 0) broken.push(`${module.relativeModuleId}: ${neverFinished}`);
  return { path: module.moduleId, passed, skipped, broken };
}

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";

function brokenSuites(module: TestModule): string[] {
  const suites: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()];
  return suites.flatMap((suite) => {
    const [error] = suite.errors();
    return error
      ? [
          `${module.relativeModuleId}${suite.type === "suite" ? ` > ${suite.fullName}` : ""}: ${firstLine(error.message)}`,
        ]
      : [];
  });
}

/** More than these is no matter of luck. */
const mostAgain = 10;

/** The files to run once more where a second try is given: those in which something failed; none where they are many. */
export function filesToRepeat({ files }: Run): string[] {
  const broken = files.filter((file) => file.broken.length > 0).map(({ path }) => path);
  return broken.length > mostAgain ? [] : broken;
}

/** What a run came to, with the files of a second one in place of theirs. An error that no test caught remains. */
export function tallyOf(first: Run, second: Run = { files: [], uncaught: [], lost: [] }): Tally {
  const repeated = new Map(second.files.map((file) => [file.path, file]));
  const files = first.files.map((file) => repeated.get(file.path) ?? file);
  const sum = (count: "passed" | "skipped"): number => files.reduce((total, file) => total + file[count], 0);
  const broken = [...first.uncaught, ...second.uncaught, ...files.flatMap((file) => file.broken)];
  const again = first.files
    .filter(({ path }) => repeated.get(path)?.broken.length === 0)
    .flatMap((file) => file.broken);
  return { passed: sum("passed"), failed: broken.length, skipped: sum("skipped"), again, broken };
}

/** Whether the run may be called a success: nothing failed, and something ran. */
export function isSuccess(tally: Tally): boolean {
  return tally.failed === 0 && tally.passed > 0;
}

/** The last line of a run. */
export function lastLine({ passed, failed }: Tally): string {
  return `${passed} passed, ${failed} failed`;
}
