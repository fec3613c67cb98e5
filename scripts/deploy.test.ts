import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "..");
const analyze = ["/usr/bin/systemd-analyze", "/bin/systemd-analyze"].find((file) => existsSync(file));
const missing = "systemd-analyze is not installed here";

describe("the unit for systemd", () => {
  let folder: string;
  let unit: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "aos-unit-"));
    unit = path.join(folder, "aos.service");
    const text = await readFile(path.join(root, "deploy/aos.service"), "utf8");
    await writeFile(unit, text.replace("/opt/aos/bin/aos", "/bin/true")); // what is verified as well is that the program is there
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("is one that systemd accepts without a warning", async ({ skip }) => {
    skip(analyze === undefined, missing);
    const { stdout, stderr } = await run(analyze as string, ["verify", "--man=no", unit]);
    expect(`${stdout}${stderr}`).toBe("");
  });

  it("exposes less than 2.0 of the 10 points by which systemd judges a service", async ({ skip }) => {
    skip(analyze === undefined, missing);
    const judged = await run(analyze as string, ["security", "--offline=true", "--threshold=20", unit], {
      env: { ...process.env, SYSTEMD_PAGER: "" },
    });
    expect(judged.stdout).toContain("Overall exposure level");
  });

  it("gives the service longer to stop than its drain takes", async () => {
    const [, seconds = ""] = /^TimeoutStopSec=(\d+)$/m.exec(await readFile(unit, "utf8")) ?? [];
    const [, drain = ""] =
      /drainLimit = ([\d_]+)/.exec(await readFile(path.join(root, "server/src/main.ts"), "utf8")) ?? [];
    expect(Number(seconds) * 1000).toBeGreaterThan(Number(drain.replaceAll("_", "")) + 10_000);
  });
});

describe("the container file", () => {
  const instructions = async () =>
    (await readFile(path.join(root, "deploy/Containerfile"), "utf8"))
      .replaceAll(/^#.*\n/gm, "")
      .replaceAll(/\\\n\s*/g, "")
      .split("\n")
      .filter(Boolean)
      .map((line) => /^([A-Z]+) (.+)$/.exec(line)?.slice(1) ?? [line, ""]) as [string, string][];

  it("consists of instructions that there are, and arguments in JSON where a list begins", async () => {
    const known = [
      "FROM",
      "COPY",
      "RUN",
      "ENV",
      "WORKDIR",
      "VOLUME",
      "USER",
      "EXPOSE",
      "STOPSIGNAL",
      "HEALTHCHECK",
      "ENTRYPOINT",
      "CMD",
    ];
    for (const [name, rest] of await instructions()) {
      expect(known).toContain(name);
      const list = /^(?:.* CMD )?(\[.*)$/.exec(rest)?.[1];
      if (list !== undefined) expect(JSON.parse(list)).toBeInstanceOf(Array);
    }
  });

  it("runs the service on the Node that it needs, as an account that is not root, without a registry by name", async () => {
    const all = await instructions();
    const of = (name: string) => all.filter(([one]) => one === name).map(([, rest]) => rest);
    expect(of("FROM")).toEqual([expect.stringMatching(/^node:24-[a-z-]+$/)]);
    expect(of("USER")).toEqual(["aos"]);
    expect([of("ENTRYPOINT"), of("CMD")]).toEqual([['["aos"]'], ['["start"]']]);
    expect(all.findIndex(([name]) => name === "USER")).toBeGreaterThan(all.findIndex(([name]) => name === "RUN"));
  });
});
