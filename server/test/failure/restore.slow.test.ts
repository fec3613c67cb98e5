import { execFile } from "node:child_process";
import { copyFile, cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { auditRefOf, type Client, clientOf, dispatchPath } from "../client.ts";
import { aos, dataFolder, type ServiceProcess, startService, until } from "../processes.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The first block to paste under a heading of the run book. */
async function commandsOf(heading: string): Promise<string> {
  const page = await readFile(path.join(root, "docs/operations/backup-and-restore.md"), "utf8");
  const [, block] = new RegExp(`^## ${heading}$[\\s\\S]*?^\`\`\`sh\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(page) ?? [];
  if (block === undefined) throw new Error(`The run book has no commands under "${heading}".`);
  return block;
}

/** A machine of its own: the folder of the service, in which an operator types commands. */
async function machine() {
  const folder = await dataFolder();
  const at = (name: string): string => path.join(folder.dataDir, name);
  await mkdir(at("bin"));
  await symlink(path.join(root, "bin/aos"), at("bin/aos"));
  const env = { ...process.env, NO_COLOR: "1", HOME: folder.dataDir };
  return {
    at,
    remove: folder.remove,
    type: async (commands: string): Promise<string> =>
      (await promisify(execFile)("bash", ["-euo", "pipefail", "-c", commands], { cwd: folder.dataDir, env })).stdout,
    // No AOS_SECRET_KEY: the key lies in the data folder, as it does where nobody sets one.
    start: (role: "all" | "api"): Promise<ServiceProcess> =>
      startService({ dataDir: at(".aos"), role, env: { AOS_SECRET_KEY: "" } }),
  };
}

let first: Awaited<ReturnType<typeof machine>>;
let second: Awaited<ReturnType<typeof machine>>;
let service: ServiceProcess;
let call: Client;

beforeAll(async () => {
  [first, second] = await Promise.all([machine(), machine()]);
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([first?.remove(), second?.remove()]);
}, 60_000);

const body = { task: "summarize_lead", lead_id: "ld_1001" };

/** Gives tasks until no answer comes. Answers those that were acknowledged. */
async function dispatchUntilStopped(client: Client, accepted: string[]): Promise<void> {
  for (;;) {
    const answered = await client("POST", dispatchPath, { body }).catch(() => null);
    if (answered?.status !== 202) return;
    accepted.push(answered.body.task_id as string);
  }
}

it("a backup restored on another machine has all that was acknowledged before it and nothing of later; its log stops, is adopted, and verifies", async () => {
  service = await first.start("all");
  const secret = (await readFile(first.at(".aos/admin.key"), "utf8")).trim();
  call = clientOf(service.url, secret);
  const lent = (await call("POST", "/v1/admin/keys", { body: { name: "lent", role: "viewer" } })).body;
  const accepted: string[] = [];
  const load = Promise.all([1, 2, 3].map(() => dispatchUntilStopped(call, accepted)));
  await until("work was given", () => accepted.length >= 30);
  const early = `/v1/audit/events/${auditRefOf(await call("POST", dispatchPath, { body }))}/proof`;
  await until("an early record has its proof", async () => (await call("GET", early)).status === 200);
  const kept = await call("GET", "/v1/audit/checkpoint");
  expect(kept.status).toBe(200);
  await writeFile(second.at("checkpoint"), kept.text);
  await Promise.all([service.stop(), load]);
  await first.type(await commandsOf("Back up the embedded database"));

  // It goes on; what happens now is in no backup.
  service = await first.start("all");
  call = clientOf(service.url, secret);
  expect((await call("DELETE", `/v1/admin/keys/${lent.key_id}`)).status).toBe(200);
  const headers = { "idempotency-key": "after-the-backup" };
  const late = await call("POST", dispatchPath, { body, headers });
  const lateProof = `/v1/audit/events/${auditRefOf(late)}/proof`;
  await until("the late record has its proof", async () => (await call("GET", lateProof)).status === 200);
  await writeFile(second.at("late.proof"), (await call("GET", lateProof)).text);
  const lateHead = await call("GET", "/v1/audit/checkpoint");
  await writeFile(second.at("late-checkpoint"), lateHead.text);
  for (const name of ["admin.key", "audit.vkey"]) await copyFile(first.at(`.aos/${name}`), second.at(name));
  for (const name of ["aos-backup.tgz", "aos-secret.key"]) await copyFile(first.at(name), second.at(name));
  await service.kill();
  await second.type(await commandsOf("Restore"));
  await cp(first.at(".aos/audit"), second.at(".aos/audit"), { recursive: true }); // as the run book says: what the old machine knew last
  await first.remove();
  service = await second.start("api");
  call = clientOf(service.url, secret);
  const stopped = async () => (await call("GET", "/v1/audit/checkpoint")).body;
  await until("the log is not signed", async () => (await stopped()).code === "log_stopped");
  expect((await stopped()).detail).toMatch(/older than one that was signed before.* aos audit adopt/);
  const meanwhile = auditRefOf(await call("GET", "/v1/admin/whoami"));
  const adopted = await second.type(await commandsOf("Adopt the restored log"));
  expect(adopted).toMatch(/development: stopped \(head_went_back\); it goes on as .*\/2\/default\/development/);
  await until(
    "what was recorded meanwhile has its proof",
    async () => (await call("GET", `/v1/audit/events/${meanwhile}/proof`)).status === 200,
  );
  expect((await call("GET", early)).text).toContain(`${kept.text.split("\n")[0]}\n`); // the old log's records keep its name
  const opened = await call("GET", "/v1/audit/checkpoint");
  expect(opened.text.split("\n")[0]).toBe(kept.text.split("\n")[0]?.replace("/default/", "/2/default/"));
  await writeFile(second.at("checkpoint"), opened.text);
  for (const task of accepted) expect((await call("GET", `/v1/tasks/${task}`)).status).toBe(200);
  expect((await call("GET", `/v1/tasks/${late.body.task_id}`)).status).toBe(404);
  expect((await clientOf(service.url, lent.key)("GET", "/v1/admin/whoami")).status).toBe(200);
  const again = await call("POST", dispatchPath, { body, headers });
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([202, null]);
  await service.stop();

  service = await second.start("all");
  call = clientOf(service.url, secret);
  await until("what was left goes on", async () => {
    const states = await Promise.all(
      accepted.map(async (task) => (await call("GET", `/v1/tasks/${task}`)).body.status),
    );
    return states.every((state) => state === "completed");
  });
  await copyFile(second.at(".aos/audit.vkey"), second.at("audit.vkey"));
  const told = await second.type((await commandsOf("Verify the log")).replaceAll("http://127.0.0.1:4000", service.url));
  expect(told).toMatch(/^Verified\. .*\n.*\nThese are all records of the log/);
  expect(told).toContain(`The kept checkpoint covers the first ${opened.text.split("\n")[1]} of them.`);
  const by = ["--key", second.at("audit.vkey")];
  const beyond = await aos(
    "audit",
    "verify",
    second.at("export.jsonl"),
    "--manifest",
    second.at("export.json"),
    ...by,
    "--checkpoint",
    second.at("late-checkpoint"),
  );
  expect([beyond.code, beyond.stdout + beyond.stderr]).toEqual([1, expect.stringContaining("/default/development")]);
  expect((await aos("audit", "verify", second.at("late.proof"), ...by)).code).toBe(0);
}, 240_000);
