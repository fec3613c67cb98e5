import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type EmbeddedDatabase, startEmbedded } from "./index.ts";

const log = { info: () => undefined, warn: () => undefined };
const isRoot = process.getuid?.() === 0;

/** The fixture as a process of its own, with the lines that it prints. */
interface Service {
  readonly child: ChildProcess;
  readonly line: () => Promise<Record<string, unknown>>;
}

function service(dataDir: string): Service {
  const fixture = fileURLToPath(new URL("./embedded.fixture.ts", import.meta.url));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", fixture, dataDir], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  return { child, line: async () => JSON.parse(String((await lines.next()).value)) as Record<string, unknown> };
}

async function query(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "aos-embedded-"));
  await chmod(folder, 0o711);
  return folder;
}

describe("the embedded database", () => {
  let dataDir: string;
  const data = (): string => path.join(dataDir, "postgres-18", "data");
  const serverPid = async (): Promise<number> =>
    Number.parseInt(await readFile(path.join(data(), "postmaster.pid"), "utf8"), 10);
  const withDatabase = async <T>(work: (database: EmbeddedDatabase) => Promise<T>): Promise<T> => {
    const database = await startEmbedded({ dataDir, log });
    try {
      return await work(database);
    } finally {
      await database.stop();
    }
  };
  /** Notes that a committed row is there after all that went before. */
  const countRows = (): Promise<unknown> =>
    withDatabase(
      async (database) => (await query(database.connectionString, "select count(*)::int as count from kept"))[0]?.count,
    );

  beforeAll(async () => {
    dataDir = await temporaryFolder();
    const firstStart = await withDatabase(async (database) => {
      await query(database.connectionString, "create table kept (id int); insert into kept values (1)");
      return database.firstStart;
    });
    expect(firstStart).toBe(true);
  });

  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it("keeps its data from one start to the next, and knows which start was the first", async () => {
    await withDatabase(async (database) => expect(database.firstStart).toBe(false));
    expect(await countRows()).toBe(1);
  });

  it("makes every commit durable and listens on no network", async () => {
    await withDatabase(async ({ connectionString }) => {
      const names = ["fsync", "synchronous_commit", "full_page_writes", "listen_addresses"];
      const rows = await query(
        connectionString,
        `select name, setting from pg_settings where name in ('${names.join("','")}') order by name`,
      );
      expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toEqual({
        fsync: "on",
        full_page_writes: "on",
        listen_addresses: "",
        synchronous_commit: "on",
      });
    });
  });

  it("has its socket in a folder that is closed to other accounts", async () => {
    await withDatabase(async ({ connectionString }) => {
      const folder = new URL(connectionString).searchParams.get("host") ?? "";
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
    });
  });

  it("may be stopped twice", async () => {
    const database = await startEmbedded({ dataDir, log });
    await Promise.all([database.stop(), database.stop()]);
    await database.stop();
    await expect(query(database.connectionString, "select 1")).rejects.toThrow();
  });

  it("refuses a second start in one line that names the running process", async () => {
    await withDatabase(async () => {
      const second = service(dataDir);
      const { failed } = await second.line();
      expect(failed).toBe(
        `The service already runs (process ${process.pid}) with the data folder ${dataDir}. Stop it first, or set AOS_DATA_DIR to another folder.`,
      );
    });
  });

  it("lets exactly one of two starts at once win", async () => {
    const both = [service(dataDir), service(dataDir)];
    const lines = await Promise.all(both.map((one) => one.line()));
    expect(lines.filter((line) => line.up !== undefined)).toHaveLength(1);
    expect(lines.filter((line) => String(line.failed).startsWith("The service already runs"))).toHaveLength(1);
    for (const { child } of both) child.kill("SIGKILL");
  });

  it("ends by itself when its process is killed", async () => {
    const running = service(dataDir);
    await running.line();
    const pid = await serverPid();
    running.child.kill("SIGKILL");
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 20_000 });
  });

  it("starts again at once after its process was killed, while the old server still stops", async () => {
    const running = service(dataDir);
    const { up } = await running.line();
    await query(String(up), "insert into kept values (2)");
    running.child.kill("SIGKILL");
    await new Promise((resolve) => running.child.once("exit", resolve));
    expect(await countRows()).toBe(2);
  });

  it("recovers after the server itself was killed with its process", async () => {
    const running = service(dataDir);
    const { up } = await running.line();
    await query(String(up), "insert into kept values (3)");
    process.kill(await serverPid(), "SIGKILL");
    running.child.kill("SIGKILL");
    await new Promise((resolve) => running.child.once("exit", resolve));
    expect(await countRows()).toBe(3);
  });

  it("speaks of an unclean stop only where the server was killed, however slowly it starts", async () => {
    const said = async (): Promise<string> => {
      const lines: string[] = [];
      const hear = { info: (line: string) => void lines.push(line), warn: () => undefined };
      await (await startEmbedded({ dataDir, log: hear, slowAfterMs: 0 })).stop();
      return lines.join("\n");
    };
    const killed = async (...pids: ((running: Service) => Promise<number> | number)[]): Promise<void> => {
      const running = service(dataDir);
      await running.line();
      const exited = new Promise((resolve) => running.child.once("exit", resolve));
      for (const pid of pids) process.kill(await pid(running), "SIGKILL");
      await exited;
    };
    const itself = ({ child }: Service): number => child.pid as number;
    await withDatabase(async () => undefined);
    expect(await said()).toContain("still starting");
    expect(await said()).not.toContain("unclean");
    await killed(itself);
    expect(await said()).not.toContain("unclean");
    await killed(serverPid, itself);
    expect(await said()).toContain("recovers from an unclean stop");
    expect(await said()).not.toContain("unclean");
  });

  it("outlives SIGTERM to its process until that has drained", async () => {
    const running = service(dataDir);
    await running.line();
    running.child.kill("SIGTERM");
    expect(await running.line()).toEqual({ draining: true });
    running.child.stdin?.end();
    expect(await running.line()).toEqual({ drained: { one: 1 } });
  });

  it("removes a stale lock whose number now belongs to another process, and leaves that process alone", async () => {
    const other = spawn("sleep", ["60"]);
    await writeFile(path.join(data(), "postmaster.pid"), `${other.pid}\n${data()}\n1\n5432\n/tmp\n\n1 1\nready\n`);
    await writeFile(path.join(dataDir, "postgres-18", "run", ".s.PGSQL.5432.lock"), `${other.pid}\n`);
    expect(await countRows()).toBe(3);
    expect(isAlive(other.pid ?? 0)).toBe(true);
    other.kill("SIGKILL");
  });

  it("does not begin again beside the database of an older release", async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, "postgres-17", "data"), { recursive: true });
    await writeFile(path.join(folder, "postgres-17", "data", "PG_VERSION"), "17\n");
    await expect(startEmbedded({ dataDir: folder, log })).rejects.toThrow(
      /made by PostgreSQL 17, this is 18\..*docs\/operations\/upgrade\.md/,
    );
    await expect(stat(path.join(folder, "postgres-18"))).rejects.toThrow("ENOENT");
    await rm(folder, { recursive: true });
  });

  it("works where the path is too long for a socket", async () => {
    const folder = await temporaryFolder();
    const long = path.join(folder, "x".repeat(110));
    const database = await startEmbedded({ dataDir: long, log, settings: { fsync: "off" } });
    const socketFolder = new URL(database.connectionString).searchParams.get("host") ?? "";
    expect(await query(database.connectionString, "select 1 as one")).toEqual([{ one: 1 }]);
    await database.stop();
    expect(socketFolder.length).toBeLessThan(90);
    await expect(stat(socketFolder)).rejects.toThrow("ENOENT");
    await rm(folder, { recursive: true });
  });

  it.runIf(isRoot)("keeps its data elsewhere, for good, where its account cannot reach the data folder", async () => {
    const closed = await mkdtemp(path.join(os.tmpdir(), "aos-closed-"));
    await chmod(closed, 0o700);
    const first = await startEmbedded({ dataDir: closed, log, settings: { fsync: "off" } });
    await query(first.connectionString, "create table here (id int)");
    await first.stop();
    const second = await startEmbedded({ dataDir: closed, log });
    const [row] = await query(second.connectionString, "select to_regclass('here') is not null as found");
    await second.stop();
    expect(first.home.startsWith(closed)).toBe(false);
    expect({ home: second.home, firstStart: second.firstStart, ...row }).toEqual({
      home: first.home,
      firstStart: false,
      found: true,
    });
    await rm(path.dirname(first.home), { recursive: true });
    await rm(closed, { recursive: true });
  });
});
