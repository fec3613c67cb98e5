import type { Reporter, SerializedError, TestModule, TestSuite } from "vitest/node";

/** What a run came to. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Full names of tests that passed at a second try only. */
  readonly again: readonly string[];
}

/**
 * Counts what really happened in a run. As failed count: a test that failed or never finished, a file that could not be loaded, a suite or file whose hooks failed
 * (a leaked connection is found there), and an error that no test caught.
 */
export class TallyReporter implements Reporter {
  tally: Tally = { passed: 0, failed: 0, skipped: 0, again: [] };

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let passed = 0;
    let failed = unhandled.length;
    let skipped = 0;
    const again: string[] = [];
    for (const module of modules) {
      failed += brokenSuites(module);
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "skipped") skipped += 1;
        else failed += 1;
        if (state === "passed" && test.diagnostic()?.flaky) again.push(`${module.relativeModuleId} > ${test.fullName}`);
      }
    }
    this.tally = { passed, failed, skipped, again };
  }
}

function brokenSuites(module: TestModule): number {
  const suites: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()];
  return suites.filter((suite) => suite.errors().length > 0).length;
}

/** Whether the run may be called a success: nothing failed, and something ran. */
export function isSuccess(tally: Tally): boolean {
  return tally.failed === 0 && tally.passed > 0;
}

/** The last line of a run. */
export function lastLine({ passed, failed }: Tally): string {
  return `${passed} passed, ${failed} failed`;
}
