import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../config/config.ts";
import { type Greeting, greeting } from "./greeting.ts";

const started = process.cwd();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "aos-greeting-"));
});
afterEach(() => {
  process.chdir(started);
  rmSync(folder, { recursive: true });
});

const portal = { url: "http://127.0.0.1:4000", link: "http://127.0.0.1:4000/sign-in#token=once" };
const greeted = (more: Partial<Greeting> = {}, env: Record<string, string> = {}): string =>
  greeting({
    config: readConfig(env),
    portal,
    adminKeyFile: path.join(folder, "admin.key"),
    first: true,
    seconds: 1.25,
    terminal: true,
    colour: false,
    ...more,
  });

describe("what a start prints", () => {
  it("names commands as they can be typed where it was started", () => {
    expect(existsSync("bin/aos")).toBe(true);
    expect(greeted()).toContain("another link:  bin/aos link");
    expect(greeted()).toContain("comes from:  bin/aos keys create");
    process.chdir(folder);
    expect(greeted({ portal: { ...portal, link: null } })).toContain("signs you in:  aos link");
  });

  it("says where the service, its guide and its description are", () => {
    const lines = greeted({}, { AOS_PORT: "4711" });
    for (const address of ["", "/docs", "/openapi.json"])
      expect(lines).toMatch(new RegExp(` http://127\\.0\\.0\\.1:4711${address}$`, "m"));
  });

  it("leads to the approval under the address at which people sign in", () => {
    writeFileSync(path.join(folder, "admin.key"), "aos_dev_once\n");
    expect(greeted({}, { AOS_APP_URL: "http://localhost:4000" })).toContain(
      " http://localhost:4000/approvals/<task_id> ",
    );
  });

  it("shows the key once, and then where it is kept", () => {
    writeFileSync(path.join(folder, "admin.key"), "aos_dev_once\n");
    expect(greeted()).toContain("aos_dev_once");
    const later = greeted({ first: false });
    expect(later).not.toContain("aos_dev_once");
    expect(later).toContain(`kept in ${path.join(folder, "admin.key")}`);
  });

  it("shows the key to a terminal only: what goes to a file or a log names where it is kept", () => {
    writeFileSync(path.join(folder, "admin.key"), "aos_dev_once\n");
    const lines = greeted({ terminal: false });
    expect(lines).not.toContain("aos_dev_once");
    expect(lines).toContain(`made just now, kept in ${path.join(folder, "admin.key")}`);
  });

  it("of a worker is short, as it has no address", () => {
    expect(greeted({}, { AOS_ROLE: "worker" })).not.toContain("http");
  });
});
