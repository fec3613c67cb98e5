import { chmod } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { startTestApp, useApp } from "../../../server/src/testing/app.ts";
import { asDatabaseOwner } from "../../../server/src/testing/owner.ts";
import { runAos, useFolder } from "../process.fixture.ts";

const app = useApp();
const folder = useFolder();

/** What doctor found, by what it looked at. */
async function doctor(env: Record<string, string> = {}) {
  const { status, out } = await runAos(["doctor", "--json"], {
    AOS_URL: app.url,
    AOS_KEY: app.key("admin"),
    XDG_CONFIG_HOME: folder.path,
    ...env,
  });
  const { findings } = JSON.parse(out) as {
    findings: { check: string; verdict: string; detail: string; remedy: string | null }[];
  };
  return { status, of: (check: string) => findings.find((one) => one.check === check), findings };
}

describe("aos doctor", () => {
  it("finds nothing wrong with a service that works, and says what the key may", async () => {
    const { status, findings, of } = await doctor();
    expect([status, findings.filter(({ verdict }) => verdict !== "ok")]).toEqual([0, []]);
    expect(of("key")?.detail).toMatch(/^mbr_\w+, admin of development, \d+ permissions$/);
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(["Node", "disk", "service", "version", "clock", "ready", "worker"]),
    );
  });

  it("says of a wrong key how to sign in", async () => {
    const { status, of } = await doctor({ AOS_KEY: "aos_dev_wrong" });
    expect([status, of("key")]).toEqual([
      1,
      expect.objectContaining({ verdict: "wrong", remedy: expect.stringContaining("aos login") }),
    ]);
  });

  it("tells a service that is not there from a port that something else has", async () => {
    const none = await doctor({ AOS_URL: "http://127.0.0.1:2" });
    expect([none.status, none.of("service")]).toEqual([
      1,
      expect.objectContaining({ verdict: "wrong", remedy: expect.stringContaining("aos start") }),
    ]);
    const other = createServer((socket) => socket.on("error", () => undefined).end("hello\n"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    try {
      const taken = await doctor({ AOS_URL: `http://127.0.0.1:${(other.address() as AddressInfo).port}` });
      expect([taken.status, taken.of("service")]).toEqual([
        1,
        expect.objectContaining({ verdict: "wrong", remedy: expect.stringContaining("AOS_PORT") }),
      ]);
    } finally {
      other.close();
    }
  });

  it("finds keys that others can read, and settings that are none", async () => {
    await runAos(["login", "--key", "-"], { AOS_URL: app.url, XDG_CONFIG_HOME: folder.path }, app.key("admin"));
    await chmod(`${folder.path}/aos/credentials.json`, 0o644);
    const { status, of } = await doctor();
    await chmod(`${folder.path}/aos/credentials.json`, 0o600);
    expect([status, of("keys")]).toEqual([
      1,
      expect.objectContaining({ verdict: "wrong", remedy: expect.stringContaining("chmod 600") }),
    ]);
    expect((await doctor({ AOS_URL: "nowhere" })).of("settings")).toMatchObject({
      verdict: "wrong",
      detail: expect.stringContaining("AOS_URL must be"),
    });
  });

  const patience = { timeout: 20_000, interval: 200 };

  it("says that an audit log is no longer signed", async () => {
    const attacked = await startTestApp();
    try {
      await attacked.call("GET", "/v1/admin/whoami");
      const head = "from audit_logs where environment = 'development' and tree_size > 0";
      await vi.waitFor(async () => expect((await attacked.pool.query(`select ${head}`)).rowCount).toBe(1), patience);
      await asDatabaseOwner(attacked.pool, (owner) => owner.query(`delete ${head}`));
      const asked = () => doctor({ AOS_URL: attacked.url, AOS_KEY: attacked.key("admin") });
      await vi.waitFor(async () => expect((await asked()).of("audit log")).toBeDefined(), patience);
      const { status, of } = await asked();
      expect([status, of("audit log")]).toEqual([
        1,
        expect.objectContaining({
          verdict: "wrong",
          detail: expect.stringContaining("development is no longer signed"),
        }),
      ]);
    } finally {
      await attacked.close();
    }
  });

  it("says of tasks that nobody takes to look for a worker", async () => {
    const anHourAgo = { now: () => Date.now() - 3_600_000 };
    const old = await startTestApp({ clock: anHourAgo });
    try {
      const { task_id } = await old.dispatch();
      await old.pool.query("update tasks set status = 'queued', updated_at = now() - interval '1 hour' where id = $1", [
        task_id,
      ]);
      const { status, of } = await doctor({ AOS_URL: old.url, AOS_KEY: old.key("admin") });
      expect([status, of("worker")]).toEqual([
        0,
        expect.objectContaining({ verdict: "warning", detail: expect.stringContaining(task_id) }),
      ]);
    } finally {
      await old.close();
    }
  });
});
