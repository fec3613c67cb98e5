import { defineConfig } from "vitest/config";
import { SliceSequencer } from "./server/src/testing/sequencer.ts";

export default defineConfig({
  test: {
    include: ["{packages,sdk,server,cli,scripts,portal}/**/*.test.ts"],
    // scripts/test.ts sets the variable.
    exclude: [
      "**/node_modules/**",
      "**/.aos/**",
      "**/.aos-*/**",
      ...(process.env.AOS_TEST_ALL === "true" ? [] : ["**/*.slow.test.ts"]),
    ],
    globalSetup: ["server/src/testing/vitest-setup.ts"],
    setupFiles: ["server/src/testing/setup.ts"],
    pool: "forks",
    maxWorkers: 2,
    // Files share a process and its modules, which is half the time of a run: what a test starts it stops, and what it changes of the process it puts back.
    isolate: false,
    // Less time goes into collecting garbage.
    execArgv: ["--max-semi-space-size=64"],
    sequence: { sequencer: SliceSequencer },
    // Finite, so that a test that hangs is named; generous, because machines of continuous integration stall.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
  },
});
