import { writeFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { trustedKey, untilLogged, verifiedTwice, writeExport } from "../audit.ts";
import type { Finding } from "./torture-findings.ts";
import { attempt, type Group, type Ledger } from "./torture-ledger.ts";
import type { Outside } from "./torture-outside.ts";

// What has to hold when the installation is quiet again, by the clients' ledger, by the world outside and by the database.

const patienceMs = 30_000;

/** Does all of it, a few at a time. */
export async function eachOf<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values(); // shared: each takes the next
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Every acknowledged object is there, and came to its end. */
export async function checkObjects(ledger: Ledger, urls: readonly string[], secret: string): Promise<Finding[]> {
  const found: Finding[] = [];
  await eachOf([...ledger.expectations.entries()], 6, async ([n, { group, path: at, judge }]) => {
    const answered = await attempt(urls[n % urls.length] as string, secret, "GET", at, undefined, {}, patienceMs);
    const { verdict, why } = answered === null ? { verdict: "lost" as const, why: "no answer" } : judge(answered);
    if (verdict !== "ok") found.push({ group, kind: verdict, what: `${at}: ${why}` });
  });
  return found;
}

/** Every call that carried a key is answered the same again; one without an answer took effect wholly or not at all, and now has an answer. */
export async function checkReplays(ledger: Ledger, urls: readonly string[]): Promise<Finding[]> {
  const found: Finding[] = [];
  const keyed = ledger.entries.filter(({ key }) => key !== null);
  const removed = ledger.entries.flatMap(({ method, path: at }) => (method === "DELETE" ? [at] : []));
  await eachOf([...keyed.entries()], 6, async ([n, entry]) => {
    const { method, path: at, body, key, headers, secret, group, answer } = entry;
    const url = urls[n % urls.length] as string;
    const sent = { ...headers, "idempotency-key": key as string };
    const again = await attempt(url, secret, method, at, body, sent, patienceMs);
    if (again === null || again.status >= 500) {
      found.push({ group, kind: "fault", what: `again: ${method} ${at} answered ${again?.status} ${again?.text}` });
      return;
    }
    if (answer === undefined || answer.status >= 300) return;
    if (again.status === 404 && removed.some((one) => at.startsWith(one))) return; // what it was about was removed since
    if (again.status === answer.status && sameAnswer(answer.text, again.text)) return;
    const texts = `${answer.status} ${answer.text.slice(0, 400)} | ${again.status} ${again.text.slice(0, 400)}`;
    found.push({ group, kind: "doubled", what: `${method} ${at} was answered otherwise again: ${texts}` });
  });
  return found;
}

/** A secret is shown once. */
function sameAnswer(first: string, again: string): boolean {
  if (first === again) return true;
  if (!again.includes('"secret_withheld":true')) return false;
  const before = JSON.parse(first);
  return Object.entries(JSON.parse(again)).every(
    ([member, value]) =>
      member === "secret_withheld" || value === null || JSON.stringify(before[member]) === JSON.stringify(value),
  );
}

/** What carries a mark of its own, or is the only one of its kind for something: group, name, the mark, and where it stands. */
const marks: readonly (readonly [Group, string, string, string])[] = [
  ["agents", "task", "l", "tasks t, unnest(t.labels) l where l ~ '^torture-[0-9]' and t.run_id is null"],
  ["agents", "training", "agent", "training_jobs"],
  ["agents", "schedule", "definition ->> 'note'", "agent_schedules where definition ->> 'note' <> ''"],
  ["tasks", "feedback", "comment", "task_feedback where comment like 'torture-%'"],
  ["tasks", "completion", "task_id", "events where type = 'task.completed'"],
  ["approvals", "vote", "approval_id", "approval_votes"],
  ["workflows", "run", "l", "workflow_runs r, unnest(r.labels) l where l ~ '^torture-[0-9]' and r.parent_run is null"],
  ["workflows", "run of the hook", "input::json ->> 'order'", "workflow_runs where workflow = 'torture-paid'"],
  ["chat", "conversation", "end_user", "chat_conversations where end_user like 'torture-%'"],
  ["chat", "message", "body", "chat_messages where role = 'user' and body like '%torture-%'"],
  ["chat", "reply", "turn", "chat_messages where role = 'agent' and turn is not null and replaced_by is null"],
  ["chat", "memory", "text", "chat_memories where text like '%torture-%'"],
  ["missions", "mission", "goal", "missions"],
  ["evaluations", "run", "dataset_name", "evaluation_runs where dataset_name like 'torture-%'"],
  ["knowledge", "document", "external_id", "documents where external_id like 'torture-%'"],
  ["knowledge", "sync", "base", "knowledge_syncs"],
  ["governance", "policy", "definition ->> 'name'", "policies where definition ->> 'name' like 'torture-%'"],
  ["admin", "key", "name", "keys where name like 'torture-%'"],
  ["webhooks", "endpoint", "url", "webhooks"],
];

/** No mark stands at two objects, and no effect was made under two keys. */
export async function checkDoubles(pool: pg.Pool, { effects }: Outside): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const [group, name, mark, from] of marks) {
    const { rows } = await pool.query<{ mark: string }>(
      `select ${mark} as mark from ${from} group by 1 having count(*) > 1`,
    );
    found.push(...rows.map(({ mark }): Finding => ({ group, kind: "doubled", what: `${name} ${mark}` })));
  }
  for (const [note, keys] of effects) {
    if (keys.size > 1) found.push({ group: "workflows", kind: "doubled", what: `effect ${note} under ${[...keys]}` });
  }
  return found;
}

/** Each acknowledged call of the hook has its run. */
export async function checkHookCalls(pool: pg.Pool, ledger: Ledger): Promise<Finding[]> {
  const { rows: runs } = await pool.query<{ mark: string }>(
    `select mark from unnest($1::text[]) as mark
     where not exists (select from workflow_runs where workflow = 'torture-paid' and input::json ->> 'order' = mark)`,
    [[...ledger.hooks]],
  );
  return runs.map(({ mark }) => ({ group: "workflows", kind: "lost", what: `no run of the call ${mark}` }));
}

/** Every event of a time that is over came at least once, always with the same content. */
export async function checkEvents(pool: pg.Pool, { events }: Outside, since: Date, until: Date): Promise<Finding[]> {
  const { rows } = await pool.query<{ id: string; type: string }>(
    "select id, type from events where environment = 'development' and created_at > $1 and created_at < $2",
    [since, until],
  );
  const found: Finding[] = [];
  for (const { id, type } of rows) {
    if (!events.has(id)) found.push({ group: "webhooks", kind: "lost", what: `${type} ${id} was not delivered` });
  }
  for (const [id, bodies] of events) {
    if (bodies.size > 1) {
      found.push({
        group: "webhooks",
        kind: "doubled",
        what: `${id} came with other contents: ${[...bodies].join(" | ")}`,
      });
    }
  }
  return found;
}

/** Every acknowledged call has its record in the log, which verifies offline and still contains the newest checkpoint that a client was given. */
export async function checkLog(pool: pg.Pool, ledger: Ledger, folder: string): Promise<Finding[]> {
  const found: Finding[] = [];
  const acknowledged = [
    ...ledger.entries.flatMap(({ group, answer }) => (answer ? [{ group, auditRef: answer.auditRef }] : [])),
    ...ledger.reads,
  ].filter(({ auditRef }) => auditRef !== "");
  await untilLogged(pool);
  const { rows } = await pool.query<{ id: string }>(
    `select id from unnest($1::text[]) as id except select record_id from audit_leaves where environment = 'development'`,
    [acknowledged.map(({ auditRef }) => auditRef)],
  );
  const lost = new Set(rows.map(({ id }) => id));
  for (const { group, auditRef } of acknowledged) {
    if (lost.has(auditRef)) found.push({ group, kind: "lost", what: `no record ${auditRef} in the log` });
  }
  const [file, kept] = [path.join(folder, "log.jsonl"), path.join(folder, "kept-checkpoint.txt")];
  if (ledger.checkpoint !== null) await writeFile(kept, ledger.checkpoint);
  await writeExport(pool, file);
  const report = await verifiedTwice(file, await trustedKey(pool), ledger.checkpoint === null ? undefined : kept);
  if (!report.verified || report.withoutRecord > 0 || report.findingsTotal > 0) {
    found.push({
      group: "audit",
      kind: "fault",
      what: `the log does not verify: ${JSON.stringify(report).slice(0, 1_000)}`,
    });
  }
  return found;
}
