import { isIP } from "node:net";
import path from "node:path";
import { formatWitness, parseWitness, type Witness } from "../audit-log/witness-exchange.ts";
import { createGuard } from "../outbound/guard.ts";
import type { Config, LogLevel, Role, SignInConfig } from "./settings.ts";
import { allowsPersonalSignIn, checkSignIn, signInVariables } from "./sign-in.ts";
import { ConfigError, type Variable, variable } from "./variable.ts";

export type { Config, LogLevel, Role } from "./settings.ts";
export { ConfigError } from "./variable.ts";

const LOG_LEVELS: readonly string[] = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];
const ROLES: readonly string[] = ["all", "api", "worker"];

/** Every variable, once, in the order in which they are read and shown. */
export const VARIABLES: readonly Variable<keyof Config>[] = [
  variable({
    name: "AOS_HOST",
    key: "host",
    standard: "127.0.0.1",
    meaning: "Address to listen on; 0.0.0.0 for every address of the machine",
    allowed: "an IP address or host name",
    secret: false,
    parse: (text) => (isIP(text) !== 0 || isHostName(text) ? text : undefined),
  }),
  variable({
    name: "AOS_PORT",
    key: "port",
    standard: "4000",
    meaning: "Port to listen on; 0 for any free one",
    allowed: "a whole number from 0 to 65535",
    secret: false,
    parse: port,
  }),
  variable({
    name: "AOS_APP_URL",
    key: "appUrl",
    standard: "http://<AOS_HOST>:<AOS_PORT>",
    meaning: "Address under which people reach the portal; links in events begin with it",
    allowed: "an absolute http or https URL without query and fragment",
    secret: false,
    parse: webAddress,
    absent: (before) => listenAddress(before.host ?? "", before.port ?? 0),
  }),
  variable({
    name: "AOS_DATA_DIR",
    key: "dataDir",
    standard: "./.aos",
    meaning: "Folder for the embedded database, keys and files",
    allowed: "the path of a folder",
    secret: false,
    parse: (text) => (text.includes("\0") ? undefined : path.resolve(text)),
  }),
  variable({
    name: "DATABASE_URL",
    key: "databaseUrl",
    standard: "",
    meaning: "PostgreSQL 15 or newer to use instead of the embedded one",
    allowed: "a URL such as postgresql://user:password@host:5432/database",
    secret: true,
    parse: databaseAddress,
    absent: () => undefined,
  }),
  variable({
    name: "AOS_MIGRATE_DATABASE_URL",
    key: "migrateDatabaseUrl",
    standard: "",
    meaning:
      "The same database with the role that owns its tables, for migrations at start; DATABASE_URL then needs no rights over the audit log",
    allowed: "a URL such as postgresql://owner:password@host:5432/database, beside DATABASE_URL",
    secret: true,
    parse: (text, before) => (before.databaseUrl === undefined ? undefined : databaseAddress(text)),
    absent: () => undefined,
  }),
  variable({
    name: "AOS_ROLE",
    key: "role",
    standard: "all",
    meaning: "What this process does: serve the API, run tasks, or both",
    allowed: "all, api or worker",
    secret: false,
    parse: (text) => (ROLES.includes(text) ? (text as Role) : undefined),
  }),
  variable({
    name: "AOS_SAMPLE",
    key: "sample",
    standard: "on",
    meaning: "Whether the first start seeds the sample agent with its data",
    allowed: "on or off",
    secret: false,
    parse: onOff,
  }),
  variable({
    name: "AOS_STARTERS",
    key: "starters",
    standard: "on",
    meaning: "Whether the starters that ship with the service are put into the marketplace",
    allowed: "on or off",
    secret: false,
    parse: onOff,
  }),
  variable({
    name: "AOS_RATE_LIMIT",
    key: "rateLimit",
    standard: "on",
    meaning: "Whether the request rate of a key is limited; off for load tests",
    allowed: "on or off",
    secret: false,
    parse: onOff,
  }),
  variable({
    name: "AOS_MAX_IN_FLIGHT",
    key: "inFlight",
    standard: "64",
    meaning:
      "Calls of one key or session that a process works on at the same time; more are answered 429. AOS_RATE_LIMIT=off lifts it",
    allowed: "a whole number from 1 to 10000",
    secret: false,
    parse: (text) => (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= 10_000 ? Number(text) : undefined),
  }),
  variable({
    name: "AOS_SECRET_KEY",
    key: "secretKey",
    standard: "",
    meaning: "Key that protects stored secrets; without it one is made and kept in the data folder",
    allowed: "32 bytes in base64, such as `openssl rand -base64 32` prints, or as 64 hexadecimal digits",
    secret: true,
    parse: secretKey,
    absent: () => undefined,
  }),
  variable({
    name: "AOS_TRUST_PROXY",
    key: "trustProxy",
    standard: "off",
    meaning: "Reverse proxies whose X-Forwarded-* headers count",
    allowed: "off, or addresses and CIDR ranges separated by commas, such as 10.0.0.0/8,::1",
    secret: false,
    parse: proxies,
  }),
  variable({
    name: "AOS_OUTBOUND_ALLOW",
    key: "outboundAllow",
    standard: "off",
    meaning: "Private networks and origins that tools and models may call besides public addresses",
    allowed:
      "off, or addresses, CIDR ranges and origins separated by commas, such as 10.20.0.0/16,http://models.internal:8000",
    secret: false,
    parse: allowances,
  }),
  variable({
    name: "AOS_KNOWLEDGE_FOLDERS",
    key: "knowledgeFolders",
    standard: "off",
    meaning: "Folders of this host below which connectors of knowledge bases may read files",
    allowed: "off, or absolute paths separated by commas, such as /srv/handbook,/srv/policies; none may be /",
    secret: false,
    parse: folders,
  }),
  variable({
    name: "AOS_AUDIT_WITNESSES",
    key: "auditWitnesses",
    standard: "off",
    meaning: "Witnesses (C2SP tlog-witness) that cosign the heads of the audit log",
    allowed:
      "off, or up to 16 of <verifier key>@<URL> separated by commas, such as witness.example/w1+0123abcd+BASE64@https://witness.example, each key an Ed25519 cosignature key (type 4) that stands once",
    secret: false,
    parse: witnesses,
  }),
  variable({
    name: "AOS_MODEL_MEMORY_MB",
    key: "modelMemory",
    standard: "256",
    meaning:
      "Trained built-in models that a process keeps in memory, in megabytes; what was used longest ago is loaded again when it is needed",
    allowed: "a whole number from 16 to 65536",
    secret: false,
    parse: megabytes,
  }),
  variable({
    name: "AOS_LOG",
    key: "logLevel",
    standard: "info",
    meaning: "Least severity that is logged",
    allowed: LOG_LEVELS.join(", "),
    secret: false,
    parse: (text) => (LOG_LEVELS.includes(text) ? (text as LogLevel) : undefined),
  }),
  variable({
    name: "AOS_METRICS_PORT",
    key: "metricsPort",
    standard: "",
    meaning:
      "Port on AOS_HOST for /metrics, beside /healthz and /readyz of the process; without it metrics are at AOS_PORT, for who has AOS_METRICS_TOKEN",
    allowed: "a whole number from 0 to 65535",
    secret: false,
    parse: port,
    absent: () => undefined,
  }),
  variable({
    name: "AOS_METRICS_TOKEN",
    key: "metricsToken",
    standard: "",
    meaning:
      "What Authorization: Bearer must name to read /metrics; without it they are closed but for AOS_METRICS_PORT",
    allowed: "16 to 256 letters, digits and any of - . _ ~ + / =",
    secret: true,
    parse: (text) => (/^[\w.~+/=-]{16,256}$/.test(text) ? text : undefined),
    absent: () => undefined,
  }),
  ...signInVariables,
];

/** Reads the whole configuration. An empty variable counts as absent. Throws {@link ConfigError} on the first value that is not allowed. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const config: Partial<Record<keyof Config, unknown>> = {};
  for (const declared of VARIABLES)
    config[declared.key] = readOne(declared, env[declared.name]?.trim() ?? "", config as Partial<Config>);
  config.personalSignIn = allowsPersonalSignIn(config as SignInConfig);
  checkSignIn(config as Config);
  return config as Config;
}

function readOne(declared: Variable<keyof Config>, given: string, before: Partial<Config>): unknown {
  if (given === "" && declared.absent !== undefined) return declared.absent(before);
  const value = declared.parse(given === "" ? declared.standard : given, before);
  if (value !== undefined) return value;
  const what = declared.secret
    ? "has a value that is not allowed (not shown, it is secret)"
    : `is ${JSON.stringify(given)}`;
  throw new ConfigError(`${declared.name} ${what}; it must be ${declared.allowed}.`);
}

/** What the command line and the client read: in the terminal that starts the service they may be set as well. */
const ofClients: readonly string[] = ["AOS_URL", "AOS_KEY", "AOS_PROFILE"];

/**
 * Variables that look like ours and are not: a misspelt one would silently leave its default in force, so the start should warn of it.
 */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const names = new Set([...VARIABLES.map((declared) => declared.name), ...ofClients]);
  return Object.keys(env)
    .filter((name) => name.startsWith("AOS_") && !names.has(name))
    .sort();
}

function port(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

function megabytes(text: string): number | undefined {
  const count = /^\d{2,5}$/.test(text) ? Number(text) : 0;
  return count >= 16 && count <= 65_536 ? count * 1024 * 1024 : undefined;
}

function isHostName(text: string): boolean {
  return (
    text.length <= 253 &&
    /^[a-z0-9]([a-z0-9-]{0,62})(\.[a-z0-9]([a-z0-9-]{0,62}))*$/i.test(text) &&
    !/^[\d.]+$/.test(text)
  );
}

/** An address to open: "every address" is none, so it is shown as this machine's own. */
function listenAddress(host: string, port: number): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}`;
}

function webAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") return undefined;
  return url.href.replace(/\/+$/, "");
}

function databaseAddress(text: string): string | undefined {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol) ? text : undefined;
}

function onOff(text: string): boolean | undefined {
  return text === "on" ? true : text === "off" ? false : undefined;
}

function secretKey(text: string): Uint8Array | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return new Uint8Array(Buffer.from(text, "hex"));
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return undefined;
  return new Uint8Array(Buffer.from(text, "base64"));
}

function proxies(text: string): readonly string[] | undefined {
  if (text === "off") return [];
  const list = text.split(",").map((part) => part.trim());
  return list.every(isAddressOrRange) ? list : undefined;
}

function allowances(text: string): readonly string[] | undefined {
  if (text === "off") return [];
  const list = text.split(",").map((part) => part.trim());
  try {
    createGuard("production", list);
    return list;
  } catch {
    return undefined; // what is allowed is said where the setting is refused
  }
}

function folders(text: string): readonly string[] | undefined {
  if (text === "off") return [];
  const list = text.split(",").map((part) => part.trim());
  const allowed = list.every((folder) => path.isAbsolute(folder) && path.resolve(folder) !== path.parse(folder).root);
  return allowed ? list.map((folder) => path.resolve(folder)) : undefined;
}

/** Keys are kept apart by their names: two witnesses of one name could not be distinguished in a checkpoint. */
function witnesses(text: string): readonly Witness[] | undefined {
  if (text === "off") return [];
  const list = text.split(",").map((part) => witness(part.trim()));
  const named = list.filter((one) => one !== undefined);
  const names = new Set(named.map(({ key }) => key.name));
  return named.length === list.length && names.size === list.length && list.length <= 16 ? named : undefined;
}

function witness(text: string): Witness | undefined {
  const parsed = parseWitness(text);
  const url = webAddress(parsed?.url ?? "");
  return parsed && url !== undefined ? { ...parsed, url } : undefined;
}

function isAddressOrRange(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** One setting as `aos config` shows it; a secret is masked. */
export interface ShownSetting {
  readonly name: string;
  readonly value: string;
  readonly default: string;
  /** Whether the environment sets it. */
  readonly set: boolean;
  readonly meaning: string;
}

/** Every setting with the value in force. */
export function showConfig(config: Config, env: Readonly<Record<string, string | undefined>>): readonly ShownSetting[] {
  return VARIABLES.map((declared) => ({
    name: declared.name,
    value: shown(declared, config[declared.key]),
    default: declared.standard,
    set: (env[declared.name]?.trim() ?? "") !== "",
    meaning: declared.meaning,
  }));
}

function shown(declared: Variable<keyof Config>, value: Config[keyof Config]): string {
  if (value === undefined) return "";
  if (declared.key === "databaseUrl" || declared.key === "migrateDatabaseUrl" || declared.key === "smtpUrl")
    return maskedUrl(String(value));
  if (declared.secret) return "(set)";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (declared.key === "auditWitnesses" && isWitnesses(value)) return value.map(formatWitness).join(",") || "off";
  if (Array.isArray(value)) return value.length === 0 ? "off" : value.join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const isWitnesses = (value: unknown): value is readonly Witness[] =>
  Array.isArray(value) && value.every((one) => typeof one === "object" && one !== null && "key" in one);

/** The address without its password, and without a password among its parameters. */
function maskedUrl(text: string): string {
  const url = new URL(text);
  if (url.password !== "") url.password = "***";
  for (const name of [...url.searchParams.keys()]) if (/pass/i.test(name)) url.searchParams.set(name, "***");
  return url.href;
}
