import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
let copy: string;
beforeEach(async () => {
  copy = await mkdtemp(path.join(tmpdir(), "aos-run-"));
  for (const folder of ["bin", "scripts", "path"]) await mkdir(path.join(copy, folder));
  await cp(path.join(root, "bin/run"), path.join(copy, "bin/run"));
  await writeFile(path.join(copy, "package-lock.json"), "{}");
  await writeFile(path.join(copy, "scripts/build-portal.ts"), "");
  await writeFile(path.join(copy, "scripts/hello.ts"), 'console.log("hello");\n');
});
afterEach(() => rm(copy, { recursive: true, force: true }));

/** Runs `scripts/hello.ts` where nothing is installed yet and "npm" is this shell script. */
async function started(npm: string) {
  await writeFile(path.join(copy, "path/npm"), `#!/bin/sh\n${npm}\n`);
  await chmod(path.join(copy, "path/npm"), 0o755);
  const env = {
    ...process.env,
    npm_lifecycle_event: "start",
    PATH: `${copy}/path:${path.dirname(process.execPath)}:${process.env.PATH}`,
  };
  const child = spawn("sh", [path.join(copy, "bin/run"), "scripts/hello.ts"], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = { out: "", err: "" };
  child.stdout.on("data", (chunk) => (printed.out += chunk));
  child.stderr.on("data", (chunk) => (printed.err += chunk));
  return { printed, closed: once(child, "close") as Promise<[number]> };
}

describe("bin/run, through links", () => {
  it("finds its repository where its folder is a link from elsewhere", async () => {
    await mkdir(path.join(copy, "node_modules"));
    await writeFile(path.join(copy, "node_modules/.package-lock.json"), "{}");
    await mkdir(path.join(copy, "elsewhere/deep"), { recursive: true });
    await symlink(path.join(copy, "bin"), path.join(copy, "elsewhere/deep/bin"));
    await symlink(path.join(copy, "elsewhere/deep/bin/run"), path.join(copy, "elsewhere/run"));
    for (const linked of ["elsewhere/deep/bin/run", "elsewhere/run"]) {
      const { status, stdout } = spawnSync("sh", [path.join(copy, linked), "scripts/hello.ts"], {
        encoding: "utf8",
        env: { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` },
      });
      expect([linked, status, stdout]).toEqual([linked, 0, "hello\n"]);
    }
  });
});

describe("bin/run, where nothing is installed yet", () => {
  it("tells that it is still installing, and then runs what was asked for", async () => {
    const { printed, closed } = await started(
      "until [ -e released ]; do sleep 0.1; done; mkdir -p node_modules; echo '{}' > node_modules/.package-lock.json",
    );
    await expect.poll(() => printed.err, { timeout: 30_000 }).toContain("\n  5 s ...\n");
    await writeFile(path.join(copy, "released"), "");
    expect((await closed)[0]).toBe(0);
    expect(printed.out).toBe("hello\n");
  });

  it("ends with npm's words where they cannot be installed", async () => {
    const { printed, closed } = await started("echo 'npm error no network' >&2; exit 1");
    expect((await closed)[0]).toBe(1);
    expect(printed.err).toContain("npm error no network\n");
    expect(printed.err).toContain("run the same command again");
  });
});
