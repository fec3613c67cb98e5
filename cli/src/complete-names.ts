import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { text as textOf } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { findAccess } from "./access.ts";
import { configFolder } from "./credentials.ts";
import { membersOf } from "./json.ts";
import { now, printable, type Terminal } from "./terminal.ts";

// Names of agents, skills, tasks and others, for completion. A TAB waits 80 ms at most; a separate process then refreshes the cache for the next one.

export interface Named {
  readonly word: string;
  readonly about: string;
}

type Row = Readonly<Record<string, unknown>>;

interface Kind {
  /** Where its list is; `{0}` stands for the first argument of the command. */
  readonly path: string;
  readonly word: string;
  readonly about: readonly string[];
}

const kinds: Readonly<Record<string, Kind>> = {
  agent: { path: "/v1/agents?limit=100", word: "agent", about: ["description"] },
  skill: { path: "/v1/agents/{0}", word: "name", about: ["description"] },
  version: { path: "/v1/agents/{0}/versions?limit=25", word: "version", about: ["note"] },
  task: { path: "/v1/tasks?limit=25", word: "task_id", about: ["agent", "task", "status"] },
  approval: { path: "/v1/approvals?status=pending&limit=25", word: "task_id", about: ["summary"] },
  base: { path: "/v1/knowledge/bases?limit=100", word: "name", about: ["description"] },
  dataset: { path: "/v1/evaluations/datasets?limit=100", word: "name", about: ["agent", "description"] },
  run: { path: "/v1/evaluations/runs?limit=25", word: "run_id", about: ["agent", "dataset", "state"] },
  scorer: { path: "/v1/evaluations/scorers?limit=100", word: "scorer", about: ["kind", "description"] },
  policy: { path: "/v1/governance/policies?limit=100", word: "policy_id", about: ["name"] },
  switch: { path: "/v1/governance/kill-switch?limit=100", word: "kill_switch_id", about: ["kind", "target", "reason"] },
  connection: { path: "/v1/admin/connections?limit=100", word: "connection", about: ["kind"] },
  key: { path: "/v1/admin/keys?limit=100", word: "key_id", about: ["name", "role"] },
  member: { path: "/v1/admin/members?limit=100", word: "member_id", about: ["name"] },
  webhook: { path: "/v1/webhooks?limit=100", word: "webhook_id", about: ["url"] },
};

export const isKind = (kind: string): boolean => Object.hasOwn(kinds, kind);

/** Milliseconds: how long cached names are fresh, how long a TAB waits for newer ones, and the timeout of a refresh in the background. */
const times = { fresh: 15_000, tab: 80, behind: 5_000 } as const;

export interface Sought {
  readonly kind: string;
  /** The arguments of the command so far. */
  readonly args: readonly string[];
  readonly profile?: string | undefined;
}

/** Returns cached names, or the service's if it responds at once. Stale ones are refreshed for the next TAB. */
export async function namesOf(sought: Sought, env: Terminal["env"]): Promise<readonly Named[]> {
  const source = await sourceOf(sought, env).catch(() => null);
  if (source === null) return [];
  const kept = await readKept(source.file);
  if (kept !== null && now() - kept.at < times.fresh) return kept.names;
  const names = kept?.names ?? (await fetchNames(source, times.tab));
  if (kept !== null || names === null) refreshBehind(sought, env);
  return names ?? [];
}

/** Runs in the process that `refreshBehind` starts. */
export async function refreshNames(
  [kind = "", profile = "", ...args]: readonly string[],
  env: Terminal["env"],
): Promise<number> {
  const source = await sourceOf({ kind, args, ...(profile === "" ? {} : { profile }) }, env);
  if (source !== null) await fetchNames(source, times.behind);
  return 0;
}

interface Source {
  readonly kind: Kind;
  readonly url: string;
  readonly key: string;
  /** The cache is keyed by service, key and list, so that no key completes what another one may read. */
  readonly file: string;
}

async function sourceOf({ kind: name, args, profile }: Sought, env: Terminal["env"]): Promise<Source | null> {
  const kind = kinds[name];
  const access = await findAccess(env, profile === undefined ? {} : { profile });
  if (kind === undefined || access.key === null || (kind.path.includes("{0}") && args[0] === undefined)) return null;
  const url = access.url + kind.path.replace("{0}", encodeURIComponent(args[0] ?? ""));
  const digest = createHash("sha256").update(`${access.key} ${name} ${url}`).digest("hex").slice(0, 24);
  return { kind, url, key: access.key, file: path.join(configFolder(env), "names", `${digest}.json`) };
}

interface Kept {
  readonly at: number;
  readonly names: readonly Named[];
}

async function readKept(file: string): Promise<Kept | null> {
  try {
    const { at, names } = membersOf(await readFile(file, "utf8"));
    return typeof at === "number" && Array.isArray(names) ? { at, names } : null;
  } catch {
    return null;
  }
}

async function fetchNames({ kind, url, key, file }: Source, patience: number): Promise<readonly Named[] | null> {
  try {
    const body = membersOf(await textAt(url, key, patience));
    const names = rowsOf(body).flatMap((row) => namedOf(row, kind));
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, JSON.stringify({ at: now(), names } satisfies Kept), { mode: 0o600 });
    return names;
  } catch {
    return null;
  }
}

/** Uses `node:http`, because loading `fetch` takes longer than a local response. */
async function textAt(url: string, key: string, patience: number): Promise<string> {
  const { get } = url.startsWith("https:") ? await import("node:https") : await import("node:http");
  const headers = { authorization: `Bearer ${key}`, accept: "application/json" };
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, signal: AbortSignal.timeout(patience) }, (response) => {
      if (response.statusCode === 200) textOf(response).then(resolve, reject);
      else request.destroy(new Error(`status ${response.statusCode}`));
    });
    request.on("error", reject);
  });
}

function rowsOf(body: Row): readonly Row[] {
  const { skills } = (body.definition ?? {}) as { skills?: readonly Row[] };
  return Array.isArray(body.data) ? (body.data as readonly Row[]) : (skills ?? []);
}

function namedOf(row: Row, { word, about }: Kind): Named[] {
  const name = row[word];
  if (typeof name !== "string" && typeof name !== "number") return [];
  return [{ word: printable(String(name)), about: printable(about.map((member) => row[member] ?? "").join(" ")) }];
}

/** In another process, so that a TAB does not wait. */
function refreshBehind({ kind, args, profile = "" }: Sought, env: Terminal["env"]): void {
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  const options = { detached: true, stdio: "ignore", env: { ...env } } as const;
  spawn(process.execPath, [...process.execArgv, main, "__names", kind, profile, ...args], options)
    .on("error", () => undefined)
    .unref();
}
