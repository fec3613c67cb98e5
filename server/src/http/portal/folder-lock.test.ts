import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alone } from "./folder-lock.ts";

/** Adds one to a number in a file, again and again, in two steps that others could come between. */
const counting = `
  const { alone } = await import(process.env.MODULE);
  const { readFile, writeFile } = await import("node:fs/promises");
  const { LOCK: lock, FILE: file } = process.env;
  for (let i = 0; i < 50; i++) await alone(lock, async () => writeFile(file, String(Number(await readFile(file, "utf8")) + 1)), 1);
`;

describe("a folder that locks", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "aos-lock-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("is held by one of several processes at a time, also after one that was killed, and is gone in the end", async () => {
    const [lock, file] = [path.join(folder, "lock"), path.join(folder, "count")];
    await mkdir(lock);
    await writeFile(path.join(lock, "999999999"), ""); // a number that no process has
    await writeFile(file, "0");
    const env = { ...process.env, MODULE: new URL("./folder-lock.ts", import.meta.url).href, LOCK: lock, FILE: file };
    const options = ["--input-type=module", "--disable-warning=ExperimentalWarning", "--eval", counting];
    await Promise.all([1, 2, 3, 4].map(() => promisify(execFile)(process.execPath, options, { env })));
    expect(await readFile(file, "utf8")).toBe("200");
    expect(await readdir(folder)).toEqual(["count"]);
  });

  it("is taken over from a process that was killed and had the same number", async () => {
    const lock = path.join(folder, "own");
    await mkdir(lock);
    await writeFile(path.join(lock, String(process.pid)), "");
    expect(await alone(lock, async () => "done")).toBe("done");
    expect(await readdir(folder)).not.toContain("own");
  });

  it("is held by one of several calls of a process at a time, also after one that failed", async () => {
    const lock = path.join(folder, "calls");
    const said: string[] = [];
    const call = (name: string) =>
      alone(lock, async () => {
        said.push(`${name} begins`);
        await readdir(folder);
        said.push(`${name} ends`);
        if (name === "first") throw new Error("broken");
      });
    const [first] = await Promise.allSettled([call("first"), call("second")]);
    expect(first.status).toBe("rejected");
    expect(said).toEqual(["first begins", "first ends", "second begins", "second ends"]);
  });
});
