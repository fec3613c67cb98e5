import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../server/test/processes.ts";
import { toJavaScript } from "./pack/javascript.ts";
import { pack } from "./pack.ts";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "..");
/** What all three may weigh where they are installed, with their dependencies and without Node (MiB). */
const heaviest = 250;

/** Without what npm says to the scripts that it runs itself. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_(lifecycle|package)_|npm_config_(local_prefix|loglevel)$|NODE_|AOS_|INIT_CWD$)/.test(name),
  ),
);
env.PATH = `${path.dirname(process.execPath)}:${env.PATH}`;

let folder: string;
let tarballs: string[];
/** Why nothing could be installed: no registry answers, and npm's cache does not hold every dependency. */
let offline: string | undefined;

/** What npm says where it fails; empty where it does what it is told. */
const npm = (...args: string[]): Promise<string> =>
  run("npm", [...args, "--loglevel=error", "--no-audit", "--no-fund"], { cwd: folder, env }).then(
    () => "",
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "aos-installed-"));
  tarballs = await pack(path.join(folder, "tarballs"));
  await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
  const unreachable = await npm(
    "view",
    "fastify",
    "name",
    "--prefer-online",
    "--fetch-retries=0",
    "--fetch-timeout=10000",
  );
  const failure = await npm(
    "install",
    unreachable === "" ? "--prefer-offline" : "--offline",
    "--omit=dev",
    ...tarballs,
  );
  if (failure.includes("ENOTCACHED"))
    offline = `no registry answers npm, and its cache does not hold every dependency: ${unreachable.split("\n")[0]}`;
  else if (failure !== "") throw new Error(failure);
  if (offline !== undefined) console.warn(`The tarballs are not installed and tried: ${offline}`);
}, 240_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts the installed service as a terminal does, and waits until it is ready. What is returned is its process group. */
async function started(port: number): Promise<{ child: ChildProcess; printed: () => string }> {
  const child = spawn("npx", ["aos", "start"], {
    cwd: folder,
    env: { ...env, AOS_PORT: String(port) },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const output of [child.stdout, child.stderr]) output.on("data", (chunk) => (printed += chunk));
  await expect
    .poll(() => (child.exitCode === null ? printed : `ended: ${printed}`), { timeout: 60_000 })
    .toMatch(/ready in|^ended/);
  return { child, printed: () => printed };
}

const journey = `
  import { readFileSync } from "node:fs";
  import { verifyRecordProof } from "@aos/proof";
  import { createClient } from "@aos/sdk";
  const aos = createClient({ baseUrl: process.env.AOS_URL, key: readFileSync(".aos/admin.key", "utf8").trim() });
  const { task_id, audit_ref } = await aos.agents.dispatchTask({ agent: "sales", task: "summarize_lead", lead_id: "ld_1001" });
  const { status } = await aos.tasks.readTaskResult({ task: task_id, wait: 30 });
  const verdict = await verifyRecordProof(await aos.audit.readProof({ audit_ref }), readFileSync(".aos/audit.vkey", "utf8"));
  await aos.knowledge.createBase({ name: "pages", description: "Pages of ours." });
  let page = await aos.knowledge.addDocument({ base: "pages", external_id: "returns", media_type: "text/html", text: "<h1>Returns</h1><p>Within thirty days.</p>" });
  while (!["indexed", "failed"].includes(page.state))
    page = await aos.knowledge.readDocument({ base: "pages", document: page.document_id });
  console.log(status, verdict.verified, page.state);`;

describe("the tarballs, installed into an empty folder", () => {
  it("start a service that does a task, shows portal and documentation, proves, and stops", {
    timeout: 120_000,
  }, async ({ skip }) => {
    skip(offline !== undefined, offline);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const { child, printed } = await started(port);
    try {
      expect(printed()).toContain("npx aos link");
      await writeFile(path.join(folder, "journey.js"), journey);
      const { stdout } = await run(process.execPath, ["journey.js"], { cwd: folder, env: { ...env, AOS_URL: url } });
      expect(stdout).toBe("completed true indexed\n");
      const doctor = await run("npx", ["aos", "doctor"], { cwd: folder, env: { ...env, AOS_URL: url } });
      expect(doctor.stdout).toMatch(/^ok +service/m);
      await expect.poll(async () => (await fetch(`${url}/approvals`)).status, { timeout: 10_000 }).toBe(200); // loaded after the greeting
      const page = await (await fetch(`${url}/approvals`)).text();
      const [, script = ""] = /<script type="module"[^>]* src="([^"]+)"/.exec(page) ?? [];
      for (const address of [
        script,
        "/docs",
        "/docs/running/install",
        "/docs/decisions/0001-a-pipeline-by-construction",
        "/docs/reference/agent-file",
        "/llms.txt",
        "/openapi.json",
      ])
        expect([address, (await fetch(new URL(address, url))).status]).toEqual([address, 200]);
    } finally {
      process.kill(-(child.pid as number), "SIGINT"); // Ctrl-C
      if (child.exitCode === null) await once(child, "close");
    }
    expect(printed()).toContain("SIGINT: draining");
  });

  it("weigh little, bring no tests and no TypeScript, and depend on nothing that only tests need", async ({ skip }) => {
    skip(offline !== undefined, offline);
    const { stdout } = await run("du", ["-sm", "node_modules"], { cwd: folder });
    expect(Number.parseInt(stdout, 10)).toBeLessThan(heaviest);
    const files = await readdir(path.join(folder, "node_modules/agent-operations-service"), { recursive: true });
    expect(files.filter((file) => /\.(test|fixture)\.|(^|\/)testing\/|(?<!\.d)\.tsx?$/.test(file))).toEqual([]);
    const own = files
      .filter((file) => /^(cli|server|packages)\/.*\.js$/.test(file))
      .map((file) => path.join("agent-operations-service", file));
    const named = await Promise.all(
      own.map(async (file) => [file, await readFile(path.join(folder, "node_modules", file), "utf8")] as const),
    );
    expect(
      named
        .filter(([, text]) => /(dirname|url)[,)] *"[^"]*\.tsx?"|"\.{0,2}\/?main\.ts"/.test(text))
        .map(([file]) => file),
    ).toEqual([]);
    const installed = await readdir(path.join(folder, "node_modules"));
    expect(
      installed.filter((name) => /^(vitest|vite|typescript|playwright-core|node-(linux|darwin|bin).*)$/.test(name)),
    ).toEqual([]);
  });

  it("have types that a strict program is checked against", async ({ skip }) => {
    skip(offline !== undefined, offline);
    await writeFile(
      path.join(folder, "program.ts"),
      `import { type RecordVerdict, verifyRecordProof } from "@aos/proof";
       import { createClient } from "@aos/sdk";
       const proof: string = await createClient().audit.readProof({ audit_ref: "aud_1" });
       export const fine: RecordVerdict = await verifyRecordProof(proof, "");
       export const wrong: number = await verifyRecordProof(proof, "");`,
    );
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: "nodenext",
      target: "es2024",
      lib: ["es2024", "dom"],
      types: [],
    };
    await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
    const compiler = path.join(root, "sdk/node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [compiler, "-p", "."], { cwd: folder }).catch(
      (error) => error as { stdout: string },
    );
    expect(stdout.match(/^\S+\(\d+/gm)).toEqual(["program.ts(5"]);
  }, 120_000);

  it("say which Node they need, and the command says so where another one is on the path", async ({ skip }) => {
    skip(offline !== undefined, offline);
    const own = path.join(folder, "node_modules/agent-operations-service");
    expect(JSON.parse(await readFile(path.join(own, "package.json"), "utf8")).engines).toEqual({ node: ">=24" });
    const old = await mkdtemp(path.join(folder, "old-"));
    await writeFile(path.join(old, "node"), "#!/bin/sh\necho v22.1.0\n", { mode: 0o755 });
    const failed = run("sh", [path.join(own, "bin/aos"), "--version"], { env: { PATH: `${old}:/usr/bin:/bin` } });
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Node 24 or newer is needed, and v22.1.0 is on the PATH"),
    });
  });
});

it("npm pack in a folder of sources refuses, and names the command", async () => {
  for (const source of [".", "sdk", "packages/proof"]) {
    const failed = run("npm", ["pack", "--dry-run", "--loglevel=error"], { cwd: path.join(root, source), env });
    await expect(failed).rejects.toMatchObject({ stderr: expect.stringContaining("npm run tarballs") });
  }
});

it("a program without its types has every line and column where it was, and imports what is called .js then", () => {
  const source =
    'import type { A } from "./a.ts";\nimport { b } from "../b.ts";\nconst c = (x: A): number => b(x as never); throw new Error("./d.ts ends");\n';
  const script = toJavaScript(source);
  expect(script.length).toBe(source.length);
  expect(script).toContain('\nimport { b } from "../b.js";\n');
  expect(script.indexOf("throw")).toBe(source.indexOf("throw"));
  expect(script).not.toContain("./a");
  expect(script).toContain('"./d.ts ends"');
});
