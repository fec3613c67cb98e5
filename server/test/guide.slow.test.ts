import { execFile } from "node:child_process";
import { mkdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readGuides } from "../src/http/docs/guides.ts";
import { dataFolder, type ServiceProcess, startService, testSecretKey } from "./processes.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (page: string): Promise<string> => readFile(path.join(root, "docs/guide", page), "utf8");
const preamble = "export AOS_URL=http://127.0.0.1:4000";

/** Pages that are meant to be typed from top to bottom begin by saying where the service is; in the order in which the documentation shows them. */
const pages = readGuides()
  .filter(({ file }) => file.startsWith("guide/"))
  .map(({ file }) => file.slice("guide/".length));
const typed: string[] = [];
for (const name of pages) if ((await read(name)).includes(preamble)) typed.push(name);

/** The blocks of a page that a reader pastes into a terminal. Those with an ellipsis show something to fill in, and one service runs already. */
const blocksOf = (text: string): string[] =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .map(([, block]) => block as string)
    .filter((block) => !/…|npm start/.test(block));

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

  it.each(typed)("of %s works as it says", async (page) => {
    const blocks = blocksOf(await read(page));
    const script = blocks.join("\n").replaceAll("http://127.0.0.1:4000", service.url);
    const env = { ...process.env, NO_COLOR: "1", HOME: folder.dataDir, AOS_SECRET_KEY: testSecretKey };
    const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], {
      cwd: folder.dataDir,
      env,
    });
    expect(stdout.match(/(?<=\/docs\/problems\/[^}]*"status":)\d{3}/g) ?? []).toEqual(
      script.match(/(?<=# )[45]\d\d\b/g) ?? [],
    );
    for (const said of script.match(/(?<=# )"[^\n]*$/gm) ?? []) expect(stdout).toContain(said);
  });
});
