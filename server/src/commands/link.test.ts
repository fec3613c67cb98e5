import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { useApp } from "../testing/app.ts";
import { signIn } from "../testing/sessions.ts";
import { run } from "./link.ts";

const folder = await mkdtemp(path.join(tmpdir(), "aos-link-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function command(args: readonly string[], env: Record<string, string>) {
  const printed = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof printed) =>
    new Writable({
      write(chunk, _encoding, done) {
        printed[name] += chunk;
        done();
      },
    });
  const code = await run(args, { env, stdout: stream("stdout"), stderr: stream("stderr") });
  return { code, ...printed };
}

describe("aos link beside a running service", () => {
  const app = useApp();
  const link = (...args: string[]) =>
    command(args, {
      DATABASE_URL: app.connectionString,
      AOS_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      AOS_DATA_DIR: path.join(folder, "beside"),
      AOS_APP_URL: "https://portal.example",
    });
  const tokenOf = (url: string): string => url.slice(url.indexOf("#token=") + "#token=".length).trim();

  it("prints a link that the service takes, and nothing else on standard output", async () => {
    const { code, stdout, stderr } = await link();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^https:\/\/portal\.example\/sign-in#token=[\w-]{43}\n$/);
    expect(stderr).toMatch(/^Signs Owner in to development as admin: once, until /);
    expect((await signIn(app, { token: tokenOf(stdout) })).session).toMatchObject({
      name: "Owner",
      environment: "development",
    });
  });

  it("leads to the port of the service that runs, where no address is set", async () => {
    const dataDir = path.join(folder, "beside");
    await mkdir(dataDir, { recursive: true });
    await writeFile(
      path.join(dataDir, "service.json"),
      JSON.stringify({ pid: process.pid, url: app.url, app_url: "http://127.0.0.1:4999" }),
    );
    const env = {
      DATABASE_URL: app.connectionString,
      AOS_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      AOS_DATA_DIR: dataDir,
    };
    expect((await command([], env)).stdout).toMatch(/^http:\/\/127\.0\.0\.1:4999\/sign-in#/);
    expect((await link()).stdout).toMatch(/^https:\/\/portal\.example\//);
  });

  it("takes a person by id or address, and an environment", async () => {
    await app.call("PUT", "/v1/admin/members/approver@example.com", {
      environment: "staging",
      body: { role: "approver" },
    });
    const { stdout } = await link("--environment", "staging", "--member", "Approver@example.com", "--json");
    const made = JSON.parse(stdout);
    expect(made).toMatchObject({ role: "approver", environment: "staging" });
    expect((await signIn(app, { token: tokenOf(made.url) })).session).toMatchObject({
      member: made.member,
      role: "approver",
    });
    expect((await link("--environment", "staging", "--member", made.member)).code).toBe(0);
  });

  it("goes through the pipeline: the log has a record of system:cli without the token", async () => {
    const { stdout } = await link();
    const { rows } = await app.pool.query(
      "select body from audit_records where body like '%sessions.makeLink%' order by id desc limit 1",
    );
    expect(JSON.parse(rows[0].body)).toMatchObject({
      principal: "system:cli",
      object: expect.stringMatching(/^link:lnk_/),
    });
    expect(rows[0].body).not.toContain(tokenOf(stdout));
  });

  it("makes none for somebody who has no role there, or is a service account", async () => {
    const { memberId } = await app.member("viewer");
    const elsewhere = await link("--environment", "production", "--member", memberId);
    expect(elsewhere).toMatchObject({ code: 1, stdout: "" });
    expect(elsewhere.stderr).toContain(`${memberId} is no person with a role in production`);
    const bot = (
      await app.call("POST", "/v1/admin/keys", {
        body: { name: "bot", role: "viewer", for: { service_account: "bot" } },
      })
    ).body;
    expect((await link("--member", bot.member_id)).stderr).toContain("is no person");
  });
});

describe("aos link with arguments that are none", () => {
  it.each([
    [["--environment", "prod"], '--environment is "prod"; it must be one of'],
    [["--mebmer", "mbr_1"], "'--mebmer'"],
    [[], "There is no installation in"],
  ])("%j: says what is wrong in one line", async (args, expected) => {
    const { code, stdout, stderr } = await command(args, { AOS_DATA_DIR: path.join(folder, "nowhere") });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(expected);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it("shows its usage when asked", async () => {
    expect(await command(["--help"], {})).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringContaining("--member"),
    });
  });
});
