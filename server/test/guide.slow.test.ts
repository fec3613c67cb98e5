import { execFile } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocksOf, has, typedPages } from "./guide-pages.ts";
import { dataFolder, type ServiceProcess, startService, testSecretKey } from "./processes.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Between the outputs of two blocks. */
const separator = "\u001e";

describe("the guide, typed into a terminal in the order in which it is read", { timeout: 240_000 }, () => {
  let folder: { dataDir: string; remove(): Promise<void> };
  let service: ServiceProcess;

  beforeAll(async () => {
    folder = await dataFolder();
    const dataDir = path.join(folder.dataDir, ".aos");
    await mkdir(path.join(folder.dataDir, "bin"));
    await symlink(path.join(root, "bin/aos"), path.join(folder.dataDir, "bin/aos"));
    for (const name of ["docs", "examples", "bin/run"])
      await symlink(path.join(root, name), path.join(folder.dataDir, name));
    service = await startService({ dataDir, role: "all" });
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    await folder?.remove();
  });

  it.each(typedPages())("of $file works as it says", async ({ text }) => {
    const blocks = blocksOf(text);
    const script = blocks.map((block) => `${block.script}\nprintf '\\036'`).join("\n");
    const env = { ...process.env, NO_COLOR: "1", HOME: folder.dataDir, AOS_SECRET_KEY: testSecretKey };
    const shell = ["-euo", "pipefail", "-c", `exec 2>&1\n${script.replaceAll("http://127.0.0.1:4000", service.url)}`];
    const { stdout } = await promisify(execFile)("bash", shell, { cwd: folder.dataDir, env, maxBuffer: 2 ** 26 });
    const outputs = stdout.split(separator);
    const wrong = blocks.flatMap(({ section, script: typed, claims, statuses }, at) => {
      const output = outputs[at] ?? "";
      const missing = claims.filter((said) => !has(output, said));
      const found = output.match(/(?<=\/docs\/problems\/[^}]*"status":)\d{3}/g) ?? [];
      if (missing.length === 0 && String(found) === String(statuses)) return [];
      return [{ section, typed, missing, statuses, found, output }];
    });
    expect(wrong).toEqual([]);
  });
});
