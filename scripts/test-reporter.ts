import type { Reporter, SerializedError, TestModule, TestSuite } from "vitest/node";

/** What a run came to. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Full names of tests that passed at a second try only. */
  readonly again: readonly string[];
  /** What failed, by its full name, with the first line of what it says. */
  readonly broken: readonly string[];
}

/**
 * Counts what really happened in a run. As failed count: a test that failed or never finished, a file that could not be loaded, a suite or file whose hooks failed
 * (a leaked connection is found there), and an error that no test caught.
 */
export class TallyReporter implements Reporter {
  tally: Tally = { passed: 0, failed: 0, skipped: 0, again: [], broken: [] };

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let passed = 0;
    let skipped = 0;
    const again: string[] = [];
    const broken = unhandled.map(({ message }) => `an error that no test caught: ${firstLine(message)}`);
    for (const module of modules) {
      broken.push(...brokenSuites(module));
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "skipped") skipped += 1;
        else broken.push(`${module.relativeModuleId} > ${test.fullName}: ${firstLine(errors?.[0]?.message ?? "it never finished")}`);
        if (state === "passed" && test.diagnostic()?.flaky) again.push(`${module.relativeModuleId} > ${test.fullName}`);
      }
    }
    this.tally = { passed, failed: broken.length, skipped, again, broken };
  }
}

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";

function brokenSuites(module: TestModule): string[] {
  const suites: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()];
  return suites.flatMap((suite) => {
    const [error] = suite.errors();
    return error ? [`${module.relativeModuleId}${suite.type === "suite" ? ` > ${suite.fullName}` : ""}: ${firstLine(error.message)}`] : [];
  });
}

/** Whether the run may be called a success: nothing failed, and something ran. */
export function isSuccess(tally: Tally): boolean {
  return tally.failed === 0 && tally.passed > 0;
}

/** The last line of a run. */
export function lastLine({ passed, failed }: Tally): string {
  return `${passed} passed, ${failed} failed`;
}
