import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { makeTemporaryFolder, sweepTemporaryFolders } from "./temporary-folders.ts";

it("removes what dead processes of this host left, and what is older than a day", async () => {
  const parent = await mkdtemp(path.join(tmpdir(), "aos-swept-"));
  const own = path.basename(await makeTemporaryFolder("upload", parent));
  const of = (pid: number): string => own.replace(`-${process.pid}-`, `-${pid}-`);
  const ended = spawnSync("true").pid;
  const elsewhere = "aos-ingest-other-host-7-a1b2c3";
  const old = "aos-ingest-other-host-7-d4e5f6";
  for (const name of [
    of(ended),
    of(ended).replace("upload", "mail"),
    of(process.ppid),
    elsewhere,
    old,
    "aos-upload-x",
    "theirs",
  ])
    await mkdir(path.join(parent, name, "inside"), { recursive: true });
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  await utimes(path.join(parent, old), yesterday, yesterday);
  await sweepTemporaryFolders(parent);
  expect((await readdir(parent)).sort()).toEqual([of(process.ppid), elsewhere, "aos-upload-x", "theirs"].sort());
  await rm(parent, { recursive: true });
});
