import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../packages");
const packages = await readdir(root);

it.each(packages)("the README of %s has an example that prints what it says", async (name) => {
  const readme = await readFile(path.join(root, name, "README.md"), "utf8");
  const [, example = "", printed = ""] = /```ts\n(.*?)```\n\n```text\n(.*?)```/s.exec(readme) ?? [];
  const folder = await mkdtemp(path.join(root, name, ".aos-readme-"));
  try {
    await writeFile(path.join(folder, "example.ts"), example);
    const { stdout } = await promisify(execFile)(process.execPath, [path.join(folder, "example.ts")]);
    expect(stdout).toBe(printed);
    expect(printed).not.toBe("");
  } finally {
    await rm(folder, { recursive: true });
  }
});
