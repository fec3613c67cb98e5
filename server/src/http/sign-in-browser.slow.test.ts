import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { linkToken } from "../testing/sessions.ts";
import { launchChromium } from "./pages/chromium.fixture.ts";

let app: TestApp;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestApp(), launchChromium()]);
  await app.app.portal.load();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await app?.close();
});
afterEach(async () => {
  await context?.close();
});

/** A page of a browser that nobody has used; whatever the pages' policy or their scripts break is collected. */
async function visitor(): Promise<{ page: Page; faults: string[] }> {
  context = await browser.newContext({ locale: "en-GB" });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  // That a call was refused is written to the console by the browser itself.
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !/status of 4/.test(message.text()))
      faults.push(message.text());
  });
  return { page, faults };
}

const signedIn = (page: Page) => page.getByRole("navigation").first().waitFor();

describe("the portal in a browser", () => {
  it("signs in by a link, shows its rooms under the policy of its pages, and keeps the session from its scripts", async () => {
    const { page, faults } = await visitor();
    await page.goto(`${app.url}/sign-in#token=${await linkToken(app)}`);
    await signedIn(page);
    for (const room of ["/", "/approvals", "/tasks", "/agents", "/policies", "/keys", "/webhooks"]) {
      await page.goto(app.url + room);
      await page.getByRole("heading", { level: 1 }).waitFor();
    }
    expect(await page.evaluate(() => document.cookie)).toBe("");
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/", domain: "127.0.0.1" });
    expect(faults).toEqual([]);
  }, 180_000);

  it("does not put the token into any request but the one that signs in", async () => {
    const { page } = await visitor();
    const token = await linkToken(app);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers())}`));
    await page.goto(`${app.url}/sign-in#token=${token}`);
    await signedIn(page);
    expect(asked.filter((text) => text.includes(token) && !text.includes(`/sign-in#`))).toEqual([]);
    expect(page.url()).not.toContain(token);
  });

  it("lets no script in that stands in its text, and no page frame it", async () => {
    const { page } = await visitor();
    await page.goto(`${app.url}/sign-in`);
    const ran = await page.evaluate(() => {
      const said: string[] = [];
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => said.push(effectiveDirective));
      const script = document.createElement("script");
      try {
        script.textContent = "window.ran = true";
        document.head.append(script);
        document.body.innerHTML = "<img src=x onerror='window.ran = true'>";
      } catch (error) {
        said.push((error as Error).name);
      }
      return { ran: "ran" in window, refused: said.length > 0 };
    });
    expect(ran).toEqual({ ran: false, refused: true });
  });
});

describe("a page of another origin, in a browser that is signed in", () => {
  let elsewhere: Server;
  beforeAll(async () => {
    elsewhere = createServer((_request, response) =>
      response.setHeader("Content-Type", "text/html").end("<title>Elsewhere</title>"),
    );
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => elsewhere.close());

  it("reads nothing and changes nothing by the session, although the browser sends the cookie to the same host at any port", async () => {
    const { page } = await visitor();
    await page.goto(`${app.url}/sign-in#token=${await linkToken(app)}`);
    await signedIn(page);
    const before = (await app.call("GET", "/v1/tasks")).body.data.length;
    await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
    const answers: number[] = [];
    page.on("response", (response) => void (response.url().includes("/v1/") && answers.push(response.status())));
    const outcome = await page.evaluate(async (target) => {
      const tried = async (init: RequestInit, path = "/v1/tasks"): Promise<string> =>
        fetch(target + path, { credentials: "include", ...init }).then(
          async (response) => `${response.type} ${await response.text()}`,
          () => "kept from it",
        );
      const body = JSON.stringify({ task: "qualify_lead", lead_id: "ld_1001", require_approval: true });
      return [
        await tried({}),
        await tried({ mode: "no-cors" }),
        await tried({ method: "POST", mode: "no-cors", body }, "/v1/agents/sales/tasks"),
        await tried(
          { method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": "x" }, body },
          "/v1/agents/sales/tasks",
        ),
      ];
    }, app.url);
    expect(outcome).toEqual(["kept from it", "opaque ", "opaque ", "kept from it"]);
    expect(answers.filter((status) => status < 400)).toEqual([]);
    expect((await app.call("GET", "/v1/tasks")).body.data.length).toBe(before);
  });
});
