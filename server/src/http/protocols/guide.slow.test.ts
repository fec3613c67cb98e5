import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { build, type Rolldown } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../testing/app.ts";
import { scriptedModel, shownResults } from "../../testing/models.ts";
import { useWorkerProcess } from "../../testing/worker.ts";
import { launchChromium } from "../pages/chromium.fixture.ts";

// The programs of docs/guide/chat-clients.md, as they stand there.

const root = path.resolve(import.meta.dirname, "../../../..");
const guide = await readFile(path.join(root, "docs/guide/chat-clients.md"), "utf8");
const blocksOf = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(([, block]) => block as string);
const [completions = "", responses = "", functions = "", agUi = ""] = blocksOf("ts");
const [useChat = ""] = blocksOf("tsx");

const app = useApp();
const machines = useWorkerProcess(app);
let stop: () => Promise<unknown>;

beforeAll(async () => {
  const model = scriptedModel((_turn, given) => {
    const { get_weather: weather } = shownResults(given) as { get_weather?: { data: { result: string } } };
    if (weather) return { text: weather.data.result };
    const isLent = given.tools?.some(({ name }) => name === "get_weather");
    return isLent ? { calls: [{ tool: "get_weather", input: { city: "Graz" } }] } : { text: "It arrives on Tuesday." };
  });
  await deployHelper();
  const worker = await machines.worker({ model });
  stop = () => worker.stop(0);
});
afterAll(() => stop());

/** The agent of the guide, made as there. */
async function deployHelper(): Promise<void> {
  const [body = ""] = /(?<=POST \/v1\/agents -d ')[^']*/.exec(guide) ?? [];
  for (const [address, given] of [
    ["/v1/agents", JSON.parse(body)],
    ["/v1/agents/lender/versions", { note: "The first." }],
    ["/v1/agents/lender/deployments", { version: 1 }],
  ] as const)
    expect((await app.call("POST", address, { body: given })).status).toBe(201);
}

/** What a program prints. */
async function printed(program: string): Promise<string> {
  const env = { ...process.env, AOS_URL: app.url, AOS_KEY: app.key("admin") };
  const args = ["--input-type=module-typescript", "--eval", program];
  return (await promisify(execFile)(process.execPath, args, { cwd: root, env })).stdout.trim();
}

describe("the programs of the guide", { timeout: 120_000 }, () => {
  it.each([
    ["a completion", completions, "It arrives on Tuesday."],
    ["responses", responses, "completed It arrives on Tuesday. true"],
    ["a function of its own", functions, "Snow in Graz."],
    ["AG-UI", agUi, "It arrives on Tuesday."],
  ])("with %s print what the agent says", async (_what, program, said) => {
    expect(await printed(program)).toBe(said);
  });
});

describe("a page of another origin that uses useChat", { timeout: 180_000 }, () => {
  let browser: Browser;
  let shop: Server;
  beforeAll(async () => {
    const [script, started] = await Promise.all([bundle(), launchChromium()]);
    browser = started;
    shop = createServer((request, response) => {
      const isScript = request.url === "/chat.js";
      response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
      response.end(
        isScript ? script : '<!doctype html><div id="root"></div><script type="module" src="/chat.js"></script>',
      );
    });
    await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    shop?.close();
  });

  it("shows the reply as it is streamed", async () => {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    const { port } = shop.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    const issued = { agent: "sales", user: "customer-4711", origins: [origin] };
    const { body } = await app.call("POST", "/v1/chat/tokens", { body: issued });
    await page.goto(`${origin}/#${encodeURIComponent(JSON.stringify([app.url, body.token]))}`);
    await page.getByRole("button", { name: "Ask" }).click();
    await page.locator(".assistant", { hasText: "It arrives on Tuesday." }).waitFor();
    expect(await page.locator(".user").textContent()).toBe("Where is my order?");
    expect(faults).toEqual([]);
  });
});

/** The component of the guide with a page that renders it. */
async function bundle(): Promise<string> {
  const entry = path.join(import.meta.dirname, "use-chat-page.tsx");
  const page = [
    'import { createElement } from "react";',
    'import { createRoot } from "react-dom/client";',
    useChat,
    "const [url, token] = JSON.parse(decodeURIComponent(location.hash.slice(1)));",
    'createRoot(document.querySelector("#root")).render(createElement(Chat, { id: crypto.randomUUID(), url, token }));',
  ].join("\n");
  const written = await build({
    configFile: false,
    root,
    logLevel: "error",
    plugins: [
      {
        name: "guide",
        resolveId: (id) => (id === entry ? entry : null),
        load: (id) => (id === entry ? page : null),
      },
    ],
    define: { "process.env.NODE_ENV": '"development"' },
    build: { write: false, minify: false, rolldownOptions: { input: entry } },
  });
  const { output } = (Array.isArray(written) ? written[0] : written) as Rolldown.RolldownOutput;
  return output.find((file) => file.type === "chunk")?.code ?? "";
}
