import { execFile } from "node:child_process";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataFolder, type ServiceProcess, startService } from "../../server/test/processes.ts";

const own = import.meta.dirname;
const root = path.resolve(own, "../..");
const [page, program, agent] = await Promise.all(
  [
    path.join(root, "docs/guide/a-program.md"),
    path.join(own, "whole-journey.ts"),
    path.join(own, "lead-clerk.yaml"),
  ].map((file) => readFile(file, "utf8")),
);
const blockOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(page as string)?.[1] ?? "";

/** Makes a folder one in which `bin/run` is the repository's. */
async function withRun(folder: string): Promise<void> {
  await mkdir(path.join(folder, "bin"));
  await symlink(path.join(root, "bin/run"), path.join(folder, "bin/run"));
}

describe("the program of the guide", () => {
  it("stands there as it is, with its agent", () => {
    expect(blockOf("ts")).toBe(program);
    expect(blockOf("yaml")).toBe(agent);
  });

  it("has at most 62 lines, set at 120 columns", () => {
    expect(program?.trimEnd().split("\n").length).toBeLessThanOrEqual(62);
  });
});

describe("the program of the guide, on a service as it was just started", { timeout: 180_000 }, () => {
  let folder: Awaited<ReturnType<typeof dataFolder>>;
  let service: ServiceProcess;
  beforeAll(async () => {
    folder = await dataFolder();
    service = await startService({ dataDir: path.join(folder.dataDir, ".aos"), role: "all" });
    await withRun(folder.dataDir);
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    await folder?.remove();
  });

  const typed = (cwd: string) =>
    promisify(execFile)("sh", ["-euc", blockOf("sh")], {
      cwd,
      env: { ...process.env, AOS_URL: service.url, NO_COLOR: "1" },
    });
  const promised = blockOf("text")
    .trimEnd()
    .split("\n")
    .map((line) =>
      expect.stringMatching(new RegExp(`^${line.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", ".+")}$`)),
    );

  it("goes the whole way and prints what the page says, also where its agent is there from before", async () => {
    for (let run = 0; run < 2; run++)
      expect((await typed(folder.dataDir)).stdout.trimEnd().split("\n")).toEqual(promised);
  });

  it("does not call proved what other keys were meant for", async () => {
    const strange = path.join(folder.dataDir, "strange");
    await mkdir(path.join(strange, ".aos"), { recursive: true });
    await withRun(strange);
    await writeFile(path.join(strange, ".aos/admin.key"), await readFile(path.join(folder.dataDir, ".aos/admin.key")));
    await writeFile(path.join(strange, ".aos/audit.vkey"), "");
    const { stdout } = await typed(strange);
    expect(stdout).toContain("verified: false");
    expect(stdout).not.toContain("proved");
    await rm(strange, { recursive: true });
  });
});
