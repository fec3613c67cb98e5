import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{proof,sdk,server,cli,scripts,portal}/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/.aos/**", "**/.aos-*/**"],
    globalSetup: ["server/src/testing/vitest-setup.ts"],
    pool: "forks",
    maxWorkers: 2,
    // Finite, so that a test that hangs is named; generous, because machines of continuous integration stall.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
  },
});
