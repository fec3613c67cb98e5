import { beforeAll, expect, it, vi } from "vitest";
import { useApp } from "../testing/app.ts";
import { useDatabaseFaults } from "../testing/database-faults.ts";
import { useWorkerProcess } from "../testing/worker.ts";
import { jobs } from "./index.ts";

const faults = useDatabaseFaults("aos-test-worker");
const app = useApp();
const process = useWorkerProcess(app);

/** Jobs that ask nothing of the database in a test, with why. */
const withoutDatabase: Readonly<Record<string, string>> = {
  send_invitation: "no mail server is configured",
  mail_alert: "no mail server is configured",
  mail_report: "no mail server is configured",
  "webhooks.due": "wakes the delivery of the same process, which claims by itself",
};

const id = (prefix: string): string => `${prefix}_01jd8x0000000000000000000s`;
/** What the jobs of all kinds are about. */
const payload = {
  organization: "default",
  environment: "development",
  agent: "support",
  alert: id("alr"),
  base: id("kb"),
  channel: "mail",
  connector: id("con"),
  document: id("doc"),
  conversation: id("cnv"),
  export: id("exp"),
  install: id("ins"),
  issue: id("iss"),
  member: id("mbr"),
  message: id("msg"),
  mission: id("msn"),
  recall: id("rcl"),
  report: id("rpt"),
  run: id("wfr"),
  sink: id("snk"),
  runs: [{ run: id("wfr"), at: 0 }],
  summary: id("sum"),
  sync: id("syn"),
  task: id("tsk"),
  training: id("trn"),
};

beforeAll(async () => {
  await process.refresh();
  await process.worker();
});

/** A machine asks again for ten seconds where its process says that it cannot decide. */
const eventually = (look: () => Promise<void>): Promise<void> => vi.waitFor(look, { timeout: 60_000, interval: 50 });

const waiting = async (): Promise<Record<string, string | null>> => {
  const { rows } = await app.pool.query<{ name: string; last_error: string | null }>(
    "select task_identifier as name, last_error from graphile_worker.jobs",
  );
  return Object.fromEntries(rows.map(({ name, last_error }) => [name, last_error]));
};

it("has every kind of job tried again that met an error of the database, and takes none as done", async () => {
  const names = ["run_task", ...jobs.map(({ name }) => name)];
  expect(names).toEqual(expect.arrayContaining(Object.keys(withoutDatabase)));
  const asking = names.filter((name) => !Object.hasOwn(withoutDatabase, name)).sort();
  faults.choose(() => "statement_timeout");
  for (const name of names)
    await app.pool.query("select graphile_worker.add_job($1, $2)", [name, JSON.stringify(payload)]);
  await eventually(async () => expect(Object.entries(await waiting()).filter(([, one]) => one === null)).toEqual([]));
  expect(Object.keys(await waiting()).sort()).toEqual(asking);
  faults.clear();
  await app.pool.query("update graphile_worker._private_jobs set run_at = now()");
  // What they are about is not there.
  const errors = async () => Object.values(await waiting()).filter((error) => !error?.startsWith("not_found"));
  await eventually(async () => expect(await errors()).toEqual([]));
}, 150_000);
