import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isSuccess } from "./test-reporter.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs `npm test` as its script does, with a folder of the repository as filter. */
function npmTest(args: string[], ci = false) {
  const env = { ...process.env, CI: String(ci) };
  const { status, stdout, stderr } = spawnSync("sh", ["bin/run", "scripts/test.ts", ...args], {
    cwd: root,
    encoding: "utf8",
    env,
  });
  return { status, last: stdout.trimEnd().split("\n").at(-1), output: stdout + stderr };
}

describe("npm test", () => {
  let folder: string;
  const file = (name: string, body: string): Promise<void> =>
    writeFile(
      path.join(folder, "scripts", name),
      `import { afterAll, describe, expect, it } from "vitest";\n${body}\n`,
    );

  beforeAll(async () => {
    // Outside the folders in which "npm test" looks for tests, and ignored by git.
    folder = await mkdtemp(path.join(root, ".aos-trial-"));
    await mkdir(path.join(folder, "scripts"));
    await file("good.test.ts", `it("passes", () => {}); it.skip("is left out", () => {});`);
    await file("bad.test.ts", `it("passes", () => {}); it("fails", () => expect(1).toBe(2));`);
    await file("hook.test.ts", `it("passes", () => {}); afterAll(() => { throw new Error("leaked"); });`);
    await file("load.test.ts", `throw new Error("does not load");`);
    await file(
      "late.test.ts",
      `it("passes", () => { setTimeout(() => { throw new Error("nobody waits"); }); return new Promise((r) => setTimeout(r, 50)); });`,
    );
    const mark = JSON.stringify(path.join(folder, "mark"));
    await file(
      "second.test.ts",
      `import { existsSync, writeFileSync } from "node:fs"; const before = existsSync(${mark}); writeFileSync(${mark}, "");
       it("passes at once", () => {}); it("passes later", () => expect(before).toBe(true));`,
    );
    await file("dies.test.ts", `it("ends its process", () => process.kill(process.pid, "SIGKILL"));`);
    await file("none.test.ts", `it.skip("is left out", () => {});`);
    await file("two.test.ts", `it("passes", () => {});`);
    await file("two.slow.test.ts", `it("passes", () => {});`);
  });

  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ["late", 1, "1 passed, 1 failed"],
    ["dies", 1, "0 passed, 1 failed"],
    ["none", 1, "0 passed, 0 failed"],
    ["absent", 1, "0 passed, 0 failed"],
    ["two", 0, "1 passed, 0 failed"],
    ["two.slow.", 0, "1 passed, 0 failed"],
  ])("ends a run of the file %j with exit code %i and the line %j", (name, status, last) => {
    expect(npmTest(["--dir", folder, name])).toMatchObject({ status, last });
  });

  it("runs slow files as well with --all", () => {
    expect(npmTest(["--all", "--dir", folder, "two"])).toMatchObject({ status: 0, last: "2 passed, 0 failed" });
  });

  it("runs what failed once more in continuous integration, and names what passed at the second try only", () => {
    const { status, last, output } = npmTest(["--dir", folder, "second", "good"], true);
    expect({ status, last }).toEqual({ status: 0, last: "3 passed, 0 failed" });
    expect(output).toMatch(
      /Passed at the second try only:\n {2}\S+second\.test\.ts > passes later: expected false to be true/,
    );
  });

  it("counts what failed at both tries once", () => {
    expect(npmTest(["--dir", folder, "bad", "good"], true)).toMatchObject({ status: 1, last: "2 passed, 1 failed" });
  });

  it("counts tests, files and hooks that failed, and names them at its end with the reason", () => {
    const { status, last, output } = npmTest(["--dir", folder, "bad", "load", "hook"]);
    expect({ status, last }).toEqual({ status: 1, last: "2 passed, 3 failed" });
    const [, named = ""] = output.split("\nFailed:\n");
    for (const line of [
      /^ {2}\S+bad\.test\.ts > fails: expected 1 to be 2/m,
      /^ {2}\S+load\.test\.ts: does not load$/m,
      /^ {2}\S+hook\.test\.ts: leaked$/m,
    ])
      expect(named).toMatch(line);
  });

  it("says that a PostgreSQL to test on is not installed", () => {
    const { status, last, output } = npmTest(["--postgres", "9"]);
    expect({ status, last }).toEqual({ status: 1, last: "0 passed, 1 failed" });
    expect(output).toContain("PostgreSQL 9 is not installed: install the package postgresql-9");
  });

  it("calls no run a success in which nothing ran", () => {
    expect(isSuccess({ passed: 0, failed: 0, skipped: 3, again: [], broken: [] })).toBe(false);
    expect(isSuccess({ passed: 1, failed: 0, skipped: 0, again: [], broken: [] })).toBe(true);
  });
});
