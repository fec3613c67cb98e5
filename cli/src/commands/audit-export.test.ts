import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { useApp } from "../../../server/src/testing/app.ts";
import { type Ran, runAos, useFolder } from "../process.fixture.ts";

const app = useApp({ role: "all" });
const folder = useFolder();
const aos = (args: readonly string[], role: "auditor" | "operator" = "auditor"): Promise<Ran> =>
  runAos(args, { AOS_URL: app.url, AOS_KEY: app.key(role), XDG_CONFIG_HOME: folder.path }, null, folder.path);
const there = async (): Promise<string[]> =>
  (await readdir(folder.path)).filter((name) => name.startsWith("audit") || name.includes("part"));

describe("aos audit export", () => {
  it("writes the log into a file that verifies with the manifest beside it", async () => {
    await app.dispatch();
    const { status, out } = await aos(["audit", "export", "-o", "audit.jsonl"]);
    expect([status, out]).toEqual([
      0,
      expect.stringMatching(/^audit\.jsonl: \d+ records?, .* its manifest is audit\.jsonl\.manifest\.json\n/),
    ]);
    const manifest = JSON.parse(await readFile(path.join(folder.path, "audit.jsonl.manifest.json"), "utf8"));
    const verified = await aos([
      "audit",
      "verify",
      "audit.jsonl",
      "--manifest",
      "audit.jsonl.manifest.json",
      "--key",
      manifest.log_key,
    ]);
    expect([verified.status, verified.out]).toEqual([0, expect.stringContaining("Verified.")]);
  });

  it("fetches an export that is there, under a name of its own, and tells programs where it is", async () => {
    const { body } = await app.call("POST", "/v1/audit/exports", { key: "auditor", body: { format: "csv" } });
    const { status, out } = await aos(["audit", "export", body.export_id, "--json"]);
    expect(status).toBe(0);
    const file = `audit-${body.export_id}.csv`;
    expect(JSON.parse(out)).toMatchObject({ export_id: body.export_id, file, manifest: `${file}.manifest.json` });
    expect(await readFile(path.join(folder.path, file), "utf8")).toMatch(/^[a-z_]+,/);
  });

  it("leaves files alone that are there, unless it is told to write over them", async () => {
    await writeFile(path.join(folder.path, "audit-kept.csv"), "kept");
    const args = ["audit", "export", "--format", "csv", "-o", "audit-kept.csv"];
    const { status, err } = await aos(args);
    expect([status, err]).toEqual([1, expect.stringContaining("audit-kept.csv already exists")]);
    expect(await readFile(path.join(folder.path, "audit-kept.csv"), "utf8")).toBe("kept");
    expect((await aos([...args, "--force"])).status).toBe(0);
    expect(await readFile(path.join(folder.path, "audit-kept.csv"), "utf8")).toMatch(/^[a-z_]+,/);
  });

  it("says what is missing, and leaves nothing behind", async () => {
    const before = await there();
    const wrongs: readonly (readonly [args: readonly string[], role: "auditor" | "operator", says: string])[] = [
      [["-o", "none/audit.csv"], "auditor", "the folder does not exist"],
      [["exp_01jd8x0000000000000000000t"], "auditor", "There is no audit export"],
      [["exp_01jd8x0000000000000000000t", "--format", "csv"], "auditor", "remove these options"],
      [["-o", "audit-forbidden.csv"], "operator", "audit:export"],
    ];
    for (const [args, role, says] of wrongs) {
      const { status, out, err } = await aos(["audit", "export", ...args], role);
      expect([status, out, err]).toEqual([1, "", expect.stringContaining(says)]);
    }
    expect(await there()).toEqual(before);
  });
});
