import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type pg from "pg";
import pino, { type Logger } from "pino";
import { afterAll, beforeAll } from "vitest";
import { openDatabase } from "../db/open.ts";
import { openSecrets } from "../db/secrets.ts";
import type { PortalSite } from "../http/portal/site.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import type { IdentityProvider, SendMail } from "../kernel/identity.ts";
import { createIds } from "../kernel/ids.ts";
import { type Environment, type Role, roles, type Scope } from "../kernel/principal.ts";
import { seedInstallation } from "../seed/index.ts";
import { createTelemetry, type Telemetry } from "../telemetry/index.ts";
import { type App, createApp } from "../wiring/app.ts";
import { keepRecordedErrors, seededKeys, testDatabase } from "./database.ts";
import { insertKey, insertRoleKeys, testSecretKey } from "./keys.ts";

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
  readonly text: string;
}

export interface CallOptions {
  /** A role (its key in `environment`), a secret as such, or null for no key. Default: the development admin. */
  readonly key?: Role | (string & {}) | null;
  readonly environment?: Environment;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** A started service on a database of its own, and the means to call and arrange it. */
export interface TestApp {
  readonly app: App;
  readonly url: string;
  readonly pool: pg.Pool;
  readonly connectionString: string;
  readonly scope: Scope;
  call(method: string, path: string, options?: CallOptions): Promise<Answered>;
  /** The secret of a key with this role. */
  key(role: Role, environment?: Environment): string;
  /** A new person with a key of this role that they did not take up personally. */
  member(role: Role, environment?: Environment): Promise<{ secret: string; memberId: string; keyId: string }>;
  /** A new person with what remains of a sign-in by OpenID Connect or passkey: a key of this role that they issued to themselves. */
  signedInMember(role: Role, environment?: Environment): Promise<{ secret: string; memberId: string; keyId: string }>;
  /** Dispatches `qualify_lead` for ld_1001 to sales, waiting for approval by default; answers the four members. */
  dispatch(
    body?: Record<string, unknown>,
    options?: CallOptions,
  ): Promise<{ task_id: string; status: string; trust_score: number; audit_ref: string }>;
  /** Puts a policy in force (state active by default) and waits until this process decides by it. Answers its id. */
  policy(definition: Record<string, unknown>, state?: "active" | "shadow", environment?: Environment): Promise<string>;
  /** Deploys version 1 of `sales` in another environment. */
  deploy(environment: Environment): Promise<void>;
  /** Sets the gate's verdict on the sample's version. */
  verdict(verdict: "open" | "failed" | "inconclusive", environment?: Environment, expiresAt?: Date): Promise<void>;
  /** The key under which this service seals secrets. */
  credentialKey(): Promise<Buffer>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  readonly role?: "all" | "api" | "worker";
  readonly clock?: Clock;
  readonly rateLimit?: boolean;
  /** How long a request may take to arrive (milliseconds); default: 30 seconds. */
  readonly requestPatience?: number;
  /** Whether people can sign in personally; they can by default. */
  readonly personalSignIn?: boolean;
  /** Whether the sample comes with its gate and the run that opens it; not by default, so that tests arrange verdicts themselves. */
  readonly sampleEvaluation?: boolean;
  /** The portal's files; by default those of this repository, built when they are first asked for. */
  readonly portal?: PortalSite;
  /** What the process tells of itself; else metrics only, and no traces. */
  readonly telemetry?: Telemetry;
  readonly log?: Logger;
  /** The OpenID Connect provider; none by default. */
  readonly provider?: IdentityProvider;
  /** Sends e-mail; nobody by default. */
  readonly sendMail?: SendMail;
  /** Under which people reach it where that is not where it listens. */
  readonly publicUrl?: string;
  /** Under which people reach the service; by default one that nobody listens at. */
  readonly appUrl?: string;
  /** Folders below which connectors may read; none by default. */
  readonly knowledgeFolders?: readonly string[];
  /** A database that another app of the test already uses; else a new one. */
  readonly connectionString?: string;
  /** A folder that stays; else one for each database, which the apps on it share. */
  readonly dataDir?: string;
}

/** A started service for the whole test file: role `api` by default, so that no worker touches what a test arranged. */
export function useApp(options: TestAppOptions = {}): TestApp {
  let current: TestApp | undefined;
  beforeAll(async () => {
    current = await startTestApp(options);
  });
  afterAll(async () => {
    await current?.close();
  });
  return new Proxy({} as TestApp, {
    get(_target, name) {
      if (!current) throw new Error("The app exists only inside tests and hooks of this file.");
      return current[name as keyof TestApp];
    },
  });
}

const folders = new Map<string, Promise<string>>();

/** The data folder of the apps on a database. */
function folderOf(connectionString: string): Promise<string> {
  const folder = folders.get(connectionString) ?? mkdtemp(path.join(tmpdir(), "aos-test-"));
  folders.set(connectionString, folder);
  return folder;
}

/** Starts a service; `close` it. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { clock = systemClock, appUrl = "http://127.0.0.1:4000" } = options;
  const isOfToday = Math.abs(clock.now() - Date.now()) < 60_000;
  const seeded = options.connectionString === undefined && isOfToday && !options.sampleEvaluation;
  const own = options.connectionString === undefined ? await testDatabase({ seeded }) : null;
  const connectionString = options.connectionString ?? (own as { connectionString: string }).connectionString;
  const dataDir = options.dataDir ?? (await folderOf(connectionString));
  const log = options.log ?? pino({ level: process.env.AOS_LOG ?? "silent" });
  const database = await openDatabase({ databaseUrl: connectionString, dataDir, applicationName: "aos-test-app", log });
  const newId = createIds(clock);
  const { installation } = await seedInstallation(database.pool, {
    newId,
    clock,
    random: randomBytes,
    sample: true,
    sampleEvaluation: options.sampleEvaluation ?? false,
  });
  const keySource = { secretKey: testSecretKey, dataDir };
  const app = await createApp({
    database,
    keySource,
    installation,
    appUrl: options.publicUrl ?? appUrl,
    personalSignIn: options.personalSignIn ?? true,
    provider: options.provider ?? null,
    sendMail: options.sendMail ?? null,
    role: options.role ?? "api",
    ...(options.portal ? { portal: options.portal } : {}),
    ...(options.knowledgeFolders ? { knowledgeFolders: options.knowledgeFolders } : {}),
    ...(options.requestPatience ? { requestPatience: options.requestPatience } : {}),
    rateLimit: options.rateLimit ?? false,
    trustProxy: [],
    outboundAllow: [],
    clock,
    log,
    telemetry:
      options.telemetry ?? (await createTelemetry({ env: {}, version: "test", role: options.role ?? "api", log })),
    metrics: { token: null, open: true },
    ownThreads: false,
  });
  const keys = seeded ? await seededKeys() : await insertRoleKeys(database.pool, newId);
  await app.start();
  const port = options.appUrl === undefined ? 0 : Number(new URL(options.appUrl).port);
  const url = app.server ? await app.server.listen({ host: "127.0.0.1", port }) : "";
  const close = async (): Promise<void> => {
    await app.stop();
    if (own) await keepRecordedErrors(database.pool);
    await database.close();
    await own?.close(true);
    if (own && options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  const credentialKey = async (): Promise<Buffer> =>
    (await openSecrets({ pool: database.pool, keySource })).credentialKey();
  return createHandle({ app, url, pool: database.pool, connectionString, keys, newId, credentialKey, close });
}

interface Parts {
  readonly app: App;
  readonly url: string;
  readonly pool: pg.Pool;
  readonly connectionString: string;
  readonly keys: ReadonlyMap<string, string>;
  readonly newId: ReturnType<typeof createIds>;
  readonly credentialKey: () => Promise<Buffer>;
  readonly close: () => Promise<void>;
}

function createHandle({ app, url, pool, connectionString, keys, newId, credentialKey, close }: Parts): TestApp {
  const key = (role: Role, environment: Environment = "development"): string =>
    keys.get(`${environment} ${role}`) as string;
  const call: TestApp["call"] = async (method, where, options = {}) => {
    const secret = secretOf(options, key);
    const headers: Record<string, string> = { ...options.headers };
    if (secret !== null) headers.authorization ??= `Bearer ${secret}`;
    const raw =
      options.body === undefined || typeof options.body === "string" ? options.body : JSON.stringify(options.body);
    if (raw !== undefined) headers["content-type"] ??= "application/json";
    const response = await fetch(url + where, {
      method,
      headers,
      ...(raw === undefined ? {} : { body: raw as string }),
    });
    const text = await response.text();
    const json = response.headers.get("content-type")?.includes("json") && text !== "";
    return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : text };
  };
  const scope: Scope = { organization: "default", environment: "development" };
  return {
    app,
    url,
    pool,
    connectionString,
    scope,
    key,
    call,
    credentialKey,
    close,
    member: (role, environment = "development") => insertMember(app, pool, newId, role, environment, false),
    signedInMember: (role, environment = "development") => insertMember(app, pool, newId, role, environment, true),
    async dispatch(body = {}, options = {}) {
      const answered = await call("POST", "/v1/agents/sales/tasks", {
        ...options,
        body: { task: "qualify_lead", lead_id: "ld_1001", require_approval: true, ...body },
      });
      if (answered.status !== 202) throw new Error(`dispatch answered ${answered.status}: ${answered.text}`);
      return answered.body;
    },
    async policy(definition, state = "active", environment = "development") {
      const id = newId("pol");
      const whole = {
        scope: {},
        params: {},
        reason_code: "test",
        message: "A test policy.",
        controls: [],
        ...definition,
      };
      await pool.query(
        "insert into policies (organization, environment, id, version, state, definition, author) values ('default', $1, $2, 1, $3, $4, 'test')",
        [environment, id, state, JSON.stringify(whole)],
      );
      await touch(app, pool, "policies");
      return id;
    },
    deploy: (environment) => deploySample(app, pool, newId, environment),
    async verdict(verdict, environment = "development", expiresAt = new Date(Date.now() + 86_400_000)) {
      await pool.query(
        `insert into gate_verdicts (organization, environment, version_id, verdict, reasons, expires_at)
         select 'default', $1, id, $2, '{arranged}', $3 from agent_versions where agent = 'sales' and number = 1
         on conflict (organization, environment, version_id) do update set verdict = excluded.verdict, expires_at = excluded.expires_at`,
        [environment, verdict, expiresAt],
      );
      await touch(app, pool, "gates");
    },
  };
}

function secretOf(options: CallOptions, key: TestApp["key"]): string | null {
  if (options.key === null) return null;
  const name = options.key ?? "admin";
  return (roles as readonly string[]).includes(name) ? key(name as Role, options.environment) : name;
}

/** Raises a topic as a changing call would, and has this process reload it. */
export async function touch(app: App, pool: pg.Pool, topic: string): Promise<void> {
  await pool.query(
    "insert into fact_epochs (topic, epoch) values ($1, 1) on conflict (topic) do update set epoch = fact_epochs.epoch + 1",
    [topic],
  );
  await app.facts.refresh();
}

async function deploySample(app: App, pool: pg.Pool, newId: Parts["newId"], environment: Environment): Promise<void> {
  await pool.query(
    `insert into deployments (organization, environment, id, agent, version_number, state, author) values ('default', $1, $2, 'sales', 1, 'live', 'test')
     on conflict do nothing`,
    [environment, newId("dep")],
  );
  await touch(app, pool, "agents");
}

async function insertMember(
  app: App,
  pool: pg.Pool,
  newId: Parts["newId"],
  role: Role,
  environment: Environment,
  personal: boolean,
) {
  const made = await insertKey(pool, newId, role, environment, personal);
  await touch(app, pool, "keys");
  return made;
}
