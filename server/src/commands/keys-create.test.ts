import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../db/open.ts";
import { systemClock } from "../kernel/clock.ts";
import { createIds } from "../kernel/ids.ts";
import { parseKey } from "../kernel/key-format.ts";
import { seedInstallation } from "../seed/index.ts";
import { createLog } from "../telemetry/log.ts";
import { useApp } from "../testing/app.ts";
import { run } from "./keys-create.ts";

const folder = await mkdtemp(path.join(tmpdir(), "aos-keys-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the command, and answers what it printed. */
async function command(args: string, env: Record<string, string>) {
  const printed = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof printed) =>
    new Writable({
      write(chunk, _encoding, done) {
        printed[name] += chunk;
        done();
      },
    });
  const code = await run(args.split(" ").filter(Boolean), { env, stdout: stream("stdout"), stderr: stream("stderr") });
  return { code, ...printed };
}

describe("aos keys create beside a running service", () => {
  const app = useApp();
  const create = (args: string) =>
    command(args, {
      DATABASE_URL: app.connectionString,
      AOS_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      AOS_DATA_DIR: path.join(folder, "beside"),
    });

  it("prints a key that the service takes at once, and nothing else on standard output", async () => {
    const { code, stdout, stderr } = await create("--environment production --role operator");
    expect(code).toBe(0);
    expect(parseKey(stdout.trimEnd())).toEqual({ ok: true, environment: "production" });
    expect(stderr).not.toContain(stdout.trim());
    const me = await app.call("GET", "/v1/admin/whoami", { key: stdout.trim() });
    expect(me.body).toMatchObject({
      principal: { kind: "service_account", role: "operator" },
      environment: "production",
      key: { name: "Made on the host" },
    });
  });

  it("goes through the pipeline: the log has a record of system:cli without the key", async () => {
    const { stdout } = await create("--environment development --role admin --json");
    const { key, key_id, member_name, created_by } = JSON.parse(stdout);
    expect({ member_name, created_by }).toEqual({ member_name: "cli", created_by: "system:cli" });
    const { rows } = await app.pool.query("select body from audit_records where body like $1", [`%key:${key_id}%`]);
    expect(rows).toHaveLength(1);
    expect(JSON.parse(rows[0].body)).toMatchObject({ operation: "admin.issueKey", principal: "system:cli" });
    expect(rows[0].body).not.toContain(key);
  });

  it("passes every option on", async () => {
    const { memberId } = await app.member("builder");
    const narrow =
      "--scopes tasks:read,tasks:write --agents sales --addresses 127.0.0.1,::1 --rate-per-second 4 --expires-in-days never --json";
    const { stdout } = await create(
      `--environment development --role operator --member ${memberId} --name Intake ${narrow}`,
    );
    expect(JSON.parse(stdout)).toMatchObject({
      name: "Intake",
      member_id: memberId,
      scopes: ["tasks:read", "tasks:write"],
      agents: ["sales"],
      addresses: ["127.0.0.1", "::1"],
      rate_per_second: 4,
      expires_at: null,
    });
    expect(
      JSON.parse((await create("--environment staging --role viewer --service-account reports --json")).stdout)
        .member_name,
    ).toBe("reports");
  });

  it("tells every fault in the words of the command line", async () => {
    const { code, stdout, stderr } = await create(
      "--environment development --role boss --scopes tasks:raed --expires-in-days 0 --service-account Two_Words",
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    for (const option of ["--role", "--scopes", "--expires-in-days", "--service-account"])
      expect(stderr).toContain(`aos: ${option}`);
  });
});

describe("aos keys create with arguments that are none", () => {
  it.each([
    ["--role viewer", "--environment is missing; it must be one of development, staging, production."],
    ["--environment prod --role viewer", '--environment is "prod"; it must be one of'],
    ["--environment staging", "--role is missing."],
    [
      "--environment staging --role viewer --rate-per-second fast",
      '--rate-per-second is "fast"; it must be a whole number.',
    ],
    ["--environment staging --role viewer --member mbr_1 --service-account bot", "exclude each other"],
    ["--environment staging --role viewer --enviroment x", "'--enviroment'"],
  ])("%s: says what is wrong in one line", async (args, expected) => {
    const { code, stdout, stderr } = await command(args, {});
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(expected);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it("shows its usage when asked", async () => {
    expect(await command("--help", {})).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringContaining("--environment"),
    });
  });

  it("says where it looked when there is no installation", async () => {
    const nowhere = path.join(folder, "nowhere");
    const { code, stderr } = await command("--environment development --role admin", { AOS_DATA_DIR: nowhere });
    expect(code).toBe(1);
    expect(stderr).toContain(`There is no installation in ${nowhere}`);
  });
});

describe("aos keys create on an embedded database", () => {
  const dataDir = path.join(folder, "embedded");
  const env = { AOS_DATA_DIR: dataDir };
  const open = () =>
    openDatabase({ databaseUrl: null, dataDir, applicationName: "aos-test", log: createLog("silent") });
  beforeAll(async () => {
    const database = await open();
    await seedInstallation(database.pool, {
      newId: createIds(systemClock),
      clock: systemClock,
      random: randomBytes,
      sample: false,
    });
    await database.close();
  }, 60_000);

  it("connects where a service runs it, and starts and stops it where none does", async () => {
    const service = await open();
    const beside = await command("--environment development --role admin", env);
    const seen = await service.pool.query("select count(*)::int as keys from keys where created_by = 'system:cli'");
    await service.close();
    expect({ code: beside.code, keys: seen.rows[0].keys }).toEqual({ code: 0, keys: 1 });
    expect((await command("--environment production --role operator", env)).code).toBe(0);
    const again = await open(); // would say that the database is in use, had the command left it running
    const { rows } = await again.pool.query(
      "select environment from keys where created_by = 'system:cli' order by environment",
    );
    await again.close();
    expect(rows).toEqual([{ environment: "development" }, { environment: "production" }]);
  }, 60_000);
});
