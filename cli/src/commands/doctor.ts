import { stat, statfs } from "node:fs/promises";
import { connect as connectTo } from "node:net";
import { type Access, findAccess, isLoopback, signInHint } from "../access.ts";
import { type AosCommand, type Given, version } from "../command.ts";
import { credentialsFile, readEntries } from "../credentials.ts";
import { serviceOf } from "../http.ts";
import { problemOf, remedyOf } from "../problems.ts";
import { CommandError, exits, now, painter, type Terminal } from "../terminal.ts";
import { type Whoami, whoLine } from "./whoami.ts";

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Checks this machine, the service and the key, and says how to fix each problem. Exit status: 0 no problem, 1
problems found.`,
    )
    .serviceOptions()
    .run(run);
type Verdict = "ok" | "warning" | "wrong";

interface Finding {
  readonly check: string;
  readonly verdict: Verdict;
  readonly detail: string;
  /** What to do; null where nothing is to do. */
  readonly remedy: string | null;
}

const ok = (check: string, detail: string): Finding => ({ check, verdict: "ok", detail, remedy: null });
const warning = (check: string, detail: string, remedy: string): Finding => ({
  check,
  verdict: "warning",
  detail,
  remedy,
});
const wrong = (check: string, detail: string, remedy: string): Finding => ({ check, verdict: "wrong", detail, remedy });

async function run(given: Given): Promise<number> {
  const { terminal } = given;
  const findings = await look(given);
  if (given.json) terminal.stdout.write(`${JSON.stringify({ findings }, null, 2)}\n`);
  else terminal.stdout.write(`${findings.flatMap((finding) => linesOf(finding, terminal)).join("\n")}\n`);
  return findings.some(({ verdict }) => verdict === "wrong") ? exits.failed : exits.done;
}

function linesOf({ check, verdict, detail, remedy }: Finding, terminal: Terminal): string[] {
  const paint = painter(terminal);
  const sign = { ok: paint.added("ok     "), warning: paint.changed("warning"), wrong: paint.removed("wrong  ") }[
    verdict
  ];
  return [
    `${sign}  ${check.padEnd(12)} ${detail}`,
    ...(remedy === null ? [] : [`${" ".repeat(22)}${paint.strong("→")} ${remedy}`]),
  ];
}

async function look(given: Given): Promise<Finding[]> {
  const { env } = given.terminal;
  const machine = [nodeVersion(), ...(await disk(env)), ...(await keptKeys(env))];
  let access: Access;
  try {
    access = await findAccess(env, {
      profile: given.options.profile,
      keyFile: given.options.keyFile,
    });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [...machine, wrong("settings", error.message, "Fix that, then run aos doctor again.")];
  }
  const reached = await reach(access);
  return [...machine, ...reached.findings, ...(reached.up ? [...(await ready(access)), ...(await key(access))] : [])];
}

function nodeVersion(): Finding {
  const major = Number(process.versions.node.split(".")[0]);
  return major >= 24
    ? ok("Node", `${process.versions.node}`)
    : wrong(
        "Node",
        `${process.versions.node} is older than 24`,
        "Run bin/aos, which installs a newer Node, or install Node 24.",
      );
}

const leastFree = 1 << 30;

/** Free space for the data of the service, if it runs here. */
async function disk(env: Terminal["env"]): Promise<Finding[]> {
  const folder = env.AOS_DATA_DIR || ".aos";
  const there = await stat(folder).then(
    () => true,
    () => false,
  );
  const { bavail, bsize } = await statfs(there ? folder : ".");
  const free = bavail * bsize;
  const text = `${(free / 2 ** 30).toFixed(1)} GiB free for ${there ? folder : "this folder"}`;
  return [
    free >= leastFree
      ? ok("disk", text)
      : wrong("disk", text, "Free some space: the database stops when the disk is full."),
  ];
}

async function keptKeys(env: Terminal["env"]): Promise<Finding[]> {
  const file = credentialsFile(env);
  const found = await stat(file).catch(() => null);
  if (found === null) return [];
  if ((found.mode & 0o077) !== 0)
    return [
      wrong(
        "keys",
        `${file} is readable by other users of this machine`,
        `chmod 600 ${file}, and replace the keys in it.`,
      ),
    ];
  try {
    const entries = await readEntries(env);
    return [ok("keys", `${entries.filter((entry) => entry.key !== null).length} kept in ${file}`)];
  } catch (error) {
    return [wrong("keys", (error as Error).message, `Remove ${file}, then sign in again.`)];
  }
}

const mostSkew = 30_000;

/** Whether the service answers, is of this version, and has the time. */
async function reach(access: Access): Promise<{ up: boolean; findings: Finding[] }> {
  const { url } = access;
  let health: Response;
  try {
    health = await fetch(`${url}/healthz`, { redirect: "manual", signal: AbortSignal.timeout(5_000) });
  } catch {
    return { up: false, findings: [await unreachable(url)] };
  }
  const { status } = ((await health.json().catch(() => ({}))) ?? {}) as { status?: unknown };
  if (health.status !== 200 || status !== "ok")
    return {
      up: false,
      findings: [
        wrong(
          "service",
          `another program responds at ${url} (status ${health.status})`,
          "Check AOS_URL or the profile; another program may use the port.",
        ),
      ],
    };
  const skew = now() - Date.parse(health.headers.get("date") ?? "");
  const clock =
    Math.abs(skew) <= mostSkew
      ? ok("clock", "in sync with the service")
      : wrong(
          "clock",
          `is ${Math.abs(Math.round(skew / 1000))} s ${skew > 0 ? "ahead of" : "behind"} the service's`,
          "Synchronize the clocks by NTP: webhook signatures and expiry times depend on them.",
        );
  return { up: true, findings: [ok("service", `responds at ${url}`), await sameVersion(url), clock] };
}

async function unreachable(url: string): Promise<Finding> {
  const { hostname, port, protocol } = new URL(url);
  const number = Number(port || (protocol === "https:" ? 443 : 80));
  const taken = await new Promise<boolean>((resolve) => {
    const socket = connectTo({ host: hostname.replace(/^\[|\]$/g, ""), port: number, timeout: 2_000 });
    const end = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket
      .once("connect", () => end(true))
      .once("error", () => end(false))
      .once("timeout", () => end(false));
  });
  if (taken)
    return wrong(
      "service",
      `port ${number} of ${hostname} is open, but does not respond to HTTP`,
      "Another program uses the port: stop it, or start the service on another port (AOS_PORT) and set AOS_URL.",
    );
  const remedy = isLoopback(url)
    ? "Start it with aos start, or set AOS_URL to where it runs."
    : "Check AOS_URL or the profile, and the network.";
  return wrong("service", `no response from ${url}`, remedy);
}

async function sameVersion(url: string): Promise<Finding> {
  const own = await version();
  const response = await fetch(`${url}/openapi.json`, {
    redirect: "manual",
    signal: AbortSignal.timeout(10_000),
  }).catch(() => null);
  const { info } = ((await response?.json().catch(() => null)) ?? {}) as { info?: { version?: string } };
  if (info?.version === own) return ok("version", `${own}, same as the service`);
  return warning(
    "version",
    `aos is ${own}, the service ${info?.version ?? "unknown"}`,
    "Use aos of the service's version; an older one lacks newer operations.",
  );
}

/** Whether the service can do its work: its database, the audit log, and its facts. */
async function ready({ url }: Access): Promise<Finding[]> {
  const response = await fetch(`${url}/readyz`, { redirect: "manual", signal: AbortSignal.timeout(5_000) }).catch(
    () => null,
  );
  if (response?.status === 200) {
    const logs = (await response.json().catch(() => ({}))) as AuditLogs;
    return [ok("ready", "the service is connected to its database and accepts calls"), ...auditLogs(logs)];
  }
  return [
    wrong(
      "ready",
      "the service runs but does not accept calls",
      "Its database may be down, or it is starting or stopping. Check its log.",
    ),
  ];
}

interface AuditLogs {
  readonly audit_log_stopped?: readonly { readonly environment: string; readonly detail: string }[];
  readonly audit_log_behind?: readonly {
    readonly environment: string;
    readonly records: number;
    readonly seconds: number;
  }[];
  readonly audit_records_missing?: readonly {
    readonly environment: string;
    readonly count: number;
    readonly records: readonly { readonly id: string }[];
  }[];
}

function auditLogs({ audit_log_stopped, audit_log_behind, audit_records_missing }: AuditLogs): Finding[] {
  const stopped = (audit_log_stopped ?? []).map(({ environment, detail }) =>
    wrong("audit log", `${environment} is no longer signed: ${detail}`, "See docs/operations/backup-and-restore.md."),
  );
  const missing = (audit_records_missing ?? []).map(({ environment, count, records }) =>
    wrong(
      "audit log",
      `${environment} lacks ${count} acknowledged records, the first of them ${records[0]?.id}`,
      'The database lost or changed them: see "Missing records" in docs/operations/audit-log.md.',
    ),
  );
  const behind = (audit_log_behind ?? []).map(({ environment, records, seconds }) =>
    warning(
      "audit log",
      `${environment} is behind by ${records} records, the oldest ${seconds} s old`,
      "Nothing is missing. If it does not catch up, look for a write transaction that was left open.",
    ),
  );
  return [...stopped, ...missing, ...behind];
}

const soon = 7 * 86_400_000;

/** Whether the key counts, for what, and for how long; and whether something takes the work. */
async function key(access: Access): Promise<Finding[]> {
  if (access.key === null) return [warning("key", `no key for ${access.url}`, signInHint(access))];
  const service = serviceOf(access);
  const reply = await service.call("GET", "/v1/admin/whoami");
  const problem = problemOf(reply);
  if (problem !== null)
    return [wrong("key", problem.detail, remedyOf(problem, access.profile) ?? "Sign in with another key: aos login.")];
  const who = reply.body as Whoami;
  const expires = who.key?.expires_at ?? null;
  const left = expires === null ? Number.POSITIVE_INFINITY : Date.parse(expires) - now();
  const text = `${whoLine(who)}, ${who.permissions.length} permissions`;
  const first =
    left < soon
      ? warning("key", `${text}; it expires ${expires}`, "Issue a new one before then: aos admin keys issue.")
      : ok("key", text);
  return [first, ...(await work(service, who))];
}

const patient = 60_000;

async function work(service: ReturnType<typeof serviceOf>, { permissions }: Whoami): Promise<Finding[]> {
  if (!permissions.includes("tasks:read")) return [];
  const before = new Date(now() - patient).toISOString();
  const reply = await service.call(
    "GET",
    `/v1/tasks?status=queued&limit=100&created_before=${encodeURIComponent(before)}`,
  );
  if (problemOf(reply) !== null) return [];
  const { data } = reply.body as {
    data: readonly { readonly task_id: string; readonly not_before: string | null; readonly updated_at: string }[];
  };
  const waiting = data.filter(
    ({ not_before, updated_at }) =>
      Date.parse(updated_at) < now() - patient && (not_before === null || Date.parse(not_before) < now() - patient),
  );
  const [first] = waiting;
  if (first === undefined) return [ok("worker", "no task has waited longer than a minute")];
  return [
    warning(
      "worker",
      waiting.length === 1
        ? `${first.task_id} has waited longer than a minute`
        : `${waiting.length} tasks have waited longer than a minute, such as ${first.task_id}`,
      "Check that a worker runs (AOS_ROLE=all or worker), and that no kill switch or pause holds them: aos governance kill-switch list.",
    ),
  ];
}
