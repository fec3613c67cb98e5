import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Installation as Programs } from "../../src/db/embedded/binaries.ts";
import { type EmbeddedDatabase, startEmbedded } from "../../src/db/embedded/index.ts";
import { createPool } from "../../src/db/pool.ts";
import {
  dataFolder,
  freePort,
  type ServiceProcess,
  signalAtOnce,
  signalIfAlive,
  startService,
  until,
} from "../processes.ts";

const quiet = { info: () => undefined, warn: () => undefined };
/** Two API processes and two workers need 198 connections at most (docs/operations/scale-out.md). */
const maxConnections = "210";
/** PostgreSQL itself is never killed, nor is the machine: what it has written is there, flushed or not. */
const settings = { max_connections: maxConnections, fsync: "off", full_page_writes: "off" };
const applicationName = "aos-torture";

/** A process of the installation, started again whenever it ends. */
interface Member {
  readonly name: string;
  readonly role: "api" | "worker";
  /** Undefined while it is down. */
  service: ServiceProcess | undefined;
  metricsPort: number;
  /** Settles when it is up again. */
  starting: Promise<void>;
  /** What all its processes printed that have ended. */
  printed: string;
}

export interface InstallationOptions {
  /** Undefined: the PostgreSQL that comes with the service. */
  readonly programs: Programs | undefined;
  readonly say: (line: string) => void;
  readonly env: Readonly<Record<string, string>>;
}

/** Two API processes and two workers on one PostgreSQL. */
export class Installation {
  readonly #options: InstallationOptions;
  readonly #members: Member[];
  readonly #folder: Awaited<ReturnType<typeof dataFolder>>;
  readonly #database: EmbeddedDatabase;
  readonly pool: pg.Pool;
  /** Processes that ended although nobody killed them. */
  readonly ended: string[] = [];
  #stopping = false;
  #pausing: Promise<void> = Promise.resolve();
  /** Processes of PostgreSQL that stand still. */
  #still: readonly number[] = [];
  /** Where this process ends early, nothing that it started stays behind. */
  readonly #endAll = (): void => {
    for (const pid of this.#still) signalIfAlive(pid, "SIGCONT");
    for (const { service } of this.#members) if (service) signalIfAlive(service.pid, "SIGKILL");
  };

  private constructor(
    options: InstallationOptions,
    folder: Awaited<ReturnType<typeof dataFolder>>,
    database: EmbeddedDatabase,
  ) {
    this.#options = options;
    this.#folder = folder;
    this.#database = database;
    this.pool = createPool({
      connectionString: database.connectionString,
      applicationName,
      log: quiet,
      max: 4,
    });
    this.#members = (["api", "api", "worker", "worker"] as const).map((role, n) => ({
      name: `${role}-${(n % 2) + 1}`,
      role,
      service: undefined,
      metricsPort: 0,
      printed: "",
      starting: Promise.resolve(),
    }));
    process.once("exit", this.#endAll);
  }

  static async start(options: InstallationOptions): Promise<Installation> {
    const folder = await dataFolder();
    const { programs } = options;
    const database = await startEmbedded({
      dataDir: folder.dataDir,
      log: quiet,
      settings,
      ...(programs && { installation: programs }),
    });
    const installation = new Installation(options, folder, database);
    for (const member of installation.#members) member.starting = installation.#startMember(member);
    try {
      await installation.untilUp(300_000);
      return installation;
    } catch (error) {
      await installation.stop();
      throw error;
    }
  }

  get dataDir(): string {
    return this.#folder.dataDir;
  }

  get size(): number {
    return this.#members.length;
  }

  adminKey = async (): Promise<string> => (await readFile(path.join(this.dataDir, "admin.key"), "utf8")).trim();

  /** The addresses of the API processes that are up. */
  apis(): string[] {
    return this.#members.flatMap(({ role, service }) => (role === "api" && service ? [service.url] : []));
  }

  /** Where each process that is up says how it is: its probe, and its metrics. */
  probes(): { readonly name: string; readonly ready: string; readonly metrics: string }[] {
    return this.#members.flatMap(({ name, service, metricsPort }) => {
      const metrics = `http://127.0.0.1:${metricsPort}`;
      return service ? [{ name, ready: `${service.url || metrics}/readyz`, metrics: `${metrics}/metrics` }] : [];
    });
  }

  /** What a process printed, all of it. */
  printed(): { readonly name: string; readonly text: string }[] {
    return this.#members.map(({ name, printed, service }) => ({ name, text: printed + (service?.output() ?? "") }));
  }

  /** Kills a process with SIGKILL and starts it again after a while. Answers its name; undefined where it is down already. */
  async kill(index: number, restartAfterMs: number): Promise<string | undefined> {
    const member = this.#members[index % this.#members.length] as Member;
    const { service } = member;
    if (service === undefined) return undefined;
    member.service = undefined; // so that its end is expected
    await service.kill();
    member.printed += service.output();
    member.starting = delay(restartAfterMs).then(() => this.#startMember(member));
    return member.name;
  }

  /** Stops every process of PostgreSQL for a while (SIGSTOP), then lets them go on. */
  pauseDatabase(forMs: number): Promise<void> {
    this.#pausing = this.#pausing.then(async () => {
      const pid = await this.#postmaster();
      for (let sweep = 0; sweep < 2; sweep++) this.#still = await signalAtOnce([pid], "SIGSTOP"); // the second for what was just forked
      await delay(forMs);
      await signalAtOnce([pid], "SIGCONT");
      this.#still = [];
    });
    return this.#pausing;
  }

  /** Ends random backends of the processes' connections. Answers how many. */
  async terminateBackends(most: number): Promise<number> {
    const { rows } = await this.pool.query<{ ended: number }>(
      `select count(pg_terminate_backend(pid))::int as ended from (
         select pid from pg_stat_activity where backend_type = 'client backend' and application_name <> $1 order by random() limit $2) a`,
      [applicationName, most],
    );
    return rows[0]?.ended ?? 0;
  }

  /** Waits until PostgreSQL goes on and all processes are up and ready. */
  async untilUp(ms: number): Promise<void> {
    await this.#pausing;
    await until(
      "all processes are up",
      () => this.#members.every(({ service }) => service !== undefined),
      ms,
      () => this.#members.filter(({ service }) => !service).map(({ name }) => name),
    );
    const ready = async (): Promise<boolean> => {
      const answers = this.probes().map(({ ready: url }) =>
        fetch(url).then(
          ({ status }) => status,
          () => 0,
        ),
      );
      return (await Promise.all(answers)).every((status) => status === 200);
    };
    await until("all processes are ready", ready, ms);
  }

  /** Writes what the processes printed into the data folder; answers where. */
  async keepLogs(): Promise<string> {
    for (const { name, text } of this.printed()) await writeFile(path.join(this.dataDir, `${name}.log`), text);
    return this.dataDir;
  }

  async stop(keep = false): Promise<void> {
    this.#stopping = true;
    await this.#pausing;
    await Promise.all(this.#members.map(({ starting }) => starting));
    await Promise.all(this.#members.map(({ service }) => service?.stop()));
    await this.pool.end();
    await this.#database.stop();
    process.off("exit", this.#endAll);
    if (!keep) await this.#folder.remove();
  }

  /** As a supervisor would: again and again until it is up. */
  async #startMember(member: Member): Promise<void> {
    const { name, role } = member;
    while (!this.#stopping) {
      const metricsPort = await freePort();
      try {
        const service = await startService({
          databaseUrl: this.#database.connectionString,
          dataDir: this.dataDir,
          role,
          env: { AOS_METRICS_PORT: String(metricsPort), ...this.#options.env },
        });
        Object.assign(member, { service, metricsPort });
        void service.ended.then((how) => this.#noteEnd(member, service, how));
        return;
      } catch (error) {
        member.printed += `\n${(error as Error).message}\n`;
        const last = (error as Error).message.trim().split("\n").at(-1)?.slice(0, 300);
        this.#options.say(`${name} did not start and is started again: ${last}`);
        await delay(1_000);
      }
    }
  }

  #noteEnd(member: Member, service: ServiceProcess, how: number | NodeJS.Signals): void {
    if (member.service !== service || this.#stopping) return;
    this.ended.push(`${member.name} ended by itself (${how}): ${service.output().slice(-2_000)}`);
    member.service = undefined;
    member.printed += service.output();
    member.starting = this.#startMember(member);
  }

  async #postmaster(): Promise<number> {
    return Number.parseInt(await readFile(path.join(this.#database.home, "data", "postmaster.pid"), "utf8"), 10);
  }
}
