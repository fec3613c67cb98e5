import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../../server/src/testing/app.ts";

const run = promisify(execFile);
const own = path.resolve(import.meta.dirname, "..");
const root = path.dirname(own);

const readme = await readFile(path.join(own, "README.md"), "utf8");
const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] as string);
const [prelude = "", ...rest] = blocks;
/** What runs in a page of the service (browser.slow.test.ts), and what waits for deliveries. */
const inBrowser = rest.filter((block) => block.includes("/auth/session"));
const receiver = rest.find((block) => block.includes("createServer")) as string;
/** That of the guide, which is meant for the folder of a service. */
const guideReceiver = (await readFile(path.join(root, "docs/guide/webhooks.md"), "utf8")).match(
  /^```ts\n(.*?)^```$/ms,
)?.[1] as string;
const programs = rest.filter((block) => block !== receiver && !inBrowser.includes(block));
/** A block stands for itself where it makes its client, else it goes on from the first. */
const programOf = (block: string): string =>
  /\bcreateClient\(/.test(block) || block === receiver ? block : `${prelude}\n${block}`;

/** What a block says it prints: the comments behind `console.log(…);` and those that are lines of their own. `…` stands for anything. */
function promised(block: string): string[] {
  return block
    .split("\n")
    .flatMap((line) => line.match(/^\/\/ (.*)$/)?.[1] ?? line.match(/console\.log\(.*\);\s\/\/ (.*)$/)?.[1] ?? []);
}

const pattern = (line: string): RegExp =>
  new RegExp(
    `^${line
      .split("…")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".+")}$`,
  );

/** The section of a block, and its first line. */
const titleOf = (block: string): string => {
  const section = readme
    .slice(0, readme.indexOf(block))
    .match(/^## .*$/gm)
    ?.at(-1)
    ?.slice(3);
  return `${section}, ${block.split("\n")[0]}`;
};

let app: TestApp;
let folder: string;
const fileOf = (block: string): string => path.join(folder, `snippet-${blocks.indexOf(block)}.ts`);

beforeAll(async () => {
  app = await startTestApp({ role: "all" });
  folder = await mkdtemp(path.join(own, ".aos-readme-"));
  await Promise.all(rest.map((block) => writeFile(fileOf(block), programOf(block))));
  await mkdir(path.join(folder, ".aos"));
  await writeFile(path.join(folder, "receiver.ts"), guideReceiver);
  await writeFile(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: "../../tsconfig.json",
      compilerOptions: { noUnusedLocals: false },
      include: [],
      files: ["receiver.ts", ...rest.map((block) => path.basename(fileOf(block)))],
    }),
  );
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await app.close();
});
/** A port that was free just now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
const env = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH,
  AOS_URL: app.url,
  AOS_KEY: app.key("admin"),
  ...more,
});

describe("the snippets of the README", () => {
  it("are there", () => {
    expect([programs.length, inBrowser.length, receiver.length > 0]).toEqual([10, 1, true]);
  });

  it("are well typed", async () => {
    const { stdout } = await run(process.execPath, [
      path.join(root, "node_modules/typescript/bin/tsc"),
      "-p",
      folder,
      "--pretty",
      "false",
    ]).catch((error: unknown) => error as { stdout: string });
    expect(stdout).toBe("");
  });

  it.each(programs.map((block) => [titleOf(block), block]))(
    "run, and print what they say: %s",
    async (_name, block) => {
      const { stdout, stderr } = await run(process.execPath, ["--disable-warning=ExperimentalWarning", fileOf(block)], {
        env: env(),
      });
      expect(stderr).toBe("");
      const expected = promised(block);
      expect(expected.length).toBeGreaterThan(0);
      const printed = stdout.trimEnd().split("\n");
      expect(printed).toEqual(expected.map((line) => expect.stringMatching(pattern(line))));
    },
  );

  it.each([
    ["of the README", () => fileOf(receiver)],
    ["of the guide", () => path.join(folder, "receiver.ts")],
  ])("receive webhooks: that %s takes what is signed, and refuses the rest", async (_which, fileOfReceiver) => {
    const file = fileOfReceiver();
    const secret = `whsec_${randomBytes(32).toString("base64")}`;
    const port = String(await freePort());
    await writeFile(path.join(folder, ".aos/webhook.secret"), `${secret}\n`);
    await writeFile(file, (await readFile(file, "utf8")).replace("listen(9009)", `listen(${port})`));
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", file], {
      cwd: folder,
      env: env({ WEBHOOK_SECRET: secret, PORT: port }),
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const event = {
        event: "task.approval_required",
        task_id: "tsk_1",
        agent: "sales",
        risk: "low",
        summary: "It waits.",
        approve_url: "http://127.0.0.1/",
      };
      const body = JSON.stringify(event);
      const at = new Date();
      const signed = { "webhook-id": "evt_1", "webhook-timestamp": String(Math.floor(at.getTime() / 1000)) };
      const send = (signature: string) =>
        fetch(`http://127.0.0.1:${port}`, {
          method: "POST",
          body,
          headers: { ...signed, "webhook-signature": signature },
        });
      const signature = new Webhook(secret).sign("evt_1", at, body);
      await expect
        .poll(
          () =>
            send(signature)
              .then(({ status }) => status)
              .catch(() => null),
          { timeout: 20_000 },
        )
        .toBe(204);
      expect((await send(signature.replace(/.{4}$/, "AAA="))).status).toBe(400);
      const [printed] = (await once(child.stdout, "data")) as [Buffer];
      expect(printed.toString()).toBe("evt_1 It waits. http://127.0.0.1/\n");
    } finally {
      child.kill();
    }
  });
});
