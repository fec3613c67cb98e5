import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, demand, stateOf } from "../../features/approvals/testing.ts";
import { useApp } from "../../testing/app.ts";
import { useWorkerProcess } from "../../testing/worker.ts";
import { launchChromium } from "./chromium.fixture.ts";
import { contentSecurityPolicy } from "./index.ts";

describe("the page of an approval", () => {
  const app = useApp();
  const workers = useWorkerProcess(app);
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  /** Opens the page of a task in a browser of its own; whatever the browser complains about fails the test. */
  async function visit<T>(taskId: string, look: (page: Page) => Promise<T>, options: BrowserContextOptions = {}): Promise<T> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB", timezoneId: "UTC", ...options });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      const faults: string[] = [];
      page.on("pageerror", (error) => faults.push(String(error)));
      // That a call was refused or cut off is written to the console by the browser itself.
      page.on(
        "console",
        (message) => message.type() === "error" && !/status of 4|net::ERR_FAILED/.test(message.text()) && faults.push(message.text()),
      );
      await page.goto(`${app.url}/approvals/${taskId}`);
      const result = await look(page);
      expect(faults).toEqual([]);
      return result;
    } finally {
      await context.close();
    }
  }

  async function signIn(page: Page, key: string): Promise<void> {
    await page.getByLabel("Your key").fill(key);
    await page.getByRole("button", { name: "Sign in" }).click();
  }
  const notice = (page: Page, text: RegExp) => page.locator("#notice").filter({ hasText: text }).waitFor();
  const status = (page: Page, text: string) => page.locator("#status").filter({ hasText: text }).waitFor();

  it("is the same closed text for everybody, and opening it decides nothing", async () => {
    const task = await ask(app);
    const before = await stateOf(app, task);
    for (const method of ["GET", "HEAD"]) {
      const { status, headers, text } = await app.call(method, `/approvals/${task}`, { key: null });
      expect(status).toBe(200);
      expect(headers.get("content-security-policy")).toBe(contentSecurityPolicy);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(text).not.toContain(task);
    }
    await visit(task, async (page) => {
      await signIn(page, app.key("approver"));
      await status(page, "Waiting for a decision");
      await page.reload();
    });
    expect(await stateOf(app, task)).toEqual(before);
  });

  it("shows what will happen, why it was asked, risk, trust and votes", async () => {
    const task = await ask(app, { approvers: 2, requester_allowed: false });
    await visit(task, async (page) => {
      await signIn(page, app.key("approver"));
      await status(page, "Waiting for a decision");
      const text = await page.locator("main").innerText();
      for (const part of [
        "sales asks to run qualify_lead",
        "ld_1001",
        "The caller asked for approval.",
        "Medium",
        "It touches personal data.",
        "2 different people have to approve, and not the one who asked. 0 of 2 so far",
        "Test admin",
        "expires by itself",
        "checked by your browser",
      ]) {
        // biome-ignore format: a list
        expect(text).toContain(part);
      }
      expect(await page.getByRole("img", { name: /^Trust \d+ %, between \d+ % and \d+ %$/ }).count()).toBe(1);
      const { body } = await app.call("GET", `/v1/approvals/${task}`);
      await page.getByText("Exactly, as JSON").click();
      expect(JSON.parse(await page.locator("#raw").innerText())).toEqual(body.action);
      expect(await page.locator("#environment").innerText()).toBe("development");
    });
  });

  it("keeps the key in memory only, loads nothing from elsewhere, and forgets it at sign-out", async () => {
    const task = await ask(app);
    const key = app.key("approver");
    await visit(task, async (page) => {
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      await page.reload();
      await signIn(page, key);
      await status(page, "Waiting for a decision");
      expect(requests.length).toBeGreaterThan(4);
      for (const url of requests) expect(url.startsWith(`${app.url}/`) && !url.includes(key), url).toBe(true);
      // As text: a test's own types know no browser.
      const kept =
        "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state, document.documentElement.outerHTML])";
      expect(await page.evaluate(kept)).not.toContain(key);
      expect(await page.getByLabel("Your key").inputValue()).toBe("");
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("Enter your key.").waitFor();
      expect(await page.locator("#approval").isVisible()).toBe(false);
    });
  });

  it("approves what was shown", async () => {
    const task = await ask(app, { risk_level: "critical" });
    await visit(task, async (page) => {
      await signIn(page, app.key("approver"));
      await page.getByRole("button", { name: "Approve", exact: true }).click();
      await notice(page, /^Approved\. The task is queued/);
      await status(page, "Approved");
      expect(await page.getByRole("button", { name: "Approve", exact: true }).isVisible()).toBe(false);
      expect(await page.locator("#bar").innerText()).toContain("Approved by Test approver");
    });
    expect(await stateOf(app, task)).toMatchObject({ status: "queued", approval: "approved", jobs: 1 });
  });

  it("follows the task after the decision until it has ended, and says who approved and what came of it", async () => {
    const task = await ask(app);
    await visit(task, async (page) => {
      await signIn(page, app.key("approver"));
      await page.getByRole("button", { name: "Approve", exact: true }).click();
      await notice(page, /^Approved\. The task is queued/);
      const worker = await workers.worker();
      try {
        await notice(page, /^Approved\. Carried out; the task has completed\.$/);
      } finally {
        await worker.stop(0);
      }
      await status(page, "Approved and carried out");
      expect(await page.locator("#bar").innerText()).toMatch(/^Approved by Test approver, .+\. Carried out; the task has completed\.$/);
      expect(await page.locator("#action-title").innerText()).toBe("What was asked for");
      expect(await page.locator("#needed").innerText()).toBe("One person had to approve. 1 of 1 did.");
    });
  });

  it("says how many more have to approve", async () => {
    const task = await ask(app, { approvers: 2 });
    await visit(task, async (page) => {
      await signIn(page, app.key("approver"));
      await page.getByRole("button", { name: "Approve", exact: true }).click();
      await notice(page, /1 more person has to approve/);
      expect(await page.locator("#needed").innerText()).toContain("1 of 2 so far");
      expect(await page.locator("#bar").innerText()).toBe("You have approved; 1 more person has to.");
    });
    expect(await stateOf(app, task)).toMatchObject({ approval: "pending", votes: 1 });
  });

  it("rejects with a reason, by keyboard alone", async () => {
    const task = await ask(app);
    await visit(task, async (page) => {
      const press = (...keys: string[]) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
      await page.locator("#key:focus").waitFor();
      await page.keyboard.type(app.key("approver"));
      await press("Enter");
      await page.locator("#title:focus").waitFor();
      await press("Tab", "Tab"); // the JSON's summary, then Approve
      await page.locator("#approve:focus").waitFor();
      await press("Tab", "Enter");
      await page.locator("#reason:focus").waitFor();
      await press("Tab", "Enter"); // without a reason
      await page.getByText("Say why").waitFor();
      await page.locator("#reason:focus").waitFor();
      await press("Escape");
      await page.locator("#reject:focus").waitFor();
      await press("Enter");
      await page.keyboard.type("Not this one.");
      await press("Tab", "Enter");
      await notice(page, /^Rejected\. The task has ended\. Nothing was carried out\.$/);
      await page.locator("#title:focus").waitFor();
    });
    expect(await stateOf(app, task)).toMatchObject({ status: "rejected", failure: expect.stringContaining("Not this one.") });
  });

  it("decides nothing when the action has changed since it was shown, and says so", async () => {
    const task = await ask(app);
    await visit(task, async (page) => {
      await signIn(page, app.key("approver"));
      await status(page, "Waiting for a decision");
      await app.pool.query('update tasks set input = \'{"lead_id":"ld_1002"}\' where id = $1', [task]);
      await page.getByRole("button", { name: "Approve", exact: true }).click();
      await notice(page, /no longer what you were shown\. Nothing was decided/);
      expect(await page.locator("#digest").innerText()).toContain("does not fit");
      expect(await page.getByRole("button", { name: "Approve", exact: true }).isVisible()).toBe(false);
    });
    expect(await stateOf(app, task)).toMatchObject({ approval: "pending", votes: 0 });
  });

  it("says when somebody was faster, and how it was decided", async () => {
    const task = await ask(app);
    await visit(task, async (page) => {
      await signIn(page, app.key("approver"));
      await status(page, "Waiting for a decision");
      await app.call("POST", `/v1/approvals/${task}/reject`, { body: { reason: "Wrong lead." } });
      await page.getByRole("button", { name: "Approve", exact: true }).click();
      await notice(page, /Somebody was faster/);
      await status(page, "Rejected");
      expect(await page.locator("#bar").innerText()).toMatch(/^Rejected by Test admin, .+“Wrong lead\.”$/);
    });
  });

  it("tells who may not decide why, and offers no button", async () => {
    const task = await ask(app);
    await demand(app, task, { requester_allowed: false });
    for (const [role, reason] of [
      ["viewer", "may read but not decide"],
      ["admin", "You asked for this"],
    ] as const) {
      await visit(task, async (page) => {
        await signIn(page, app.key(role));
        await page.locator("#bar").filter({ hasText: reason }).waitFor();
        expect(await page.locator("#decision button:visible").count()).toBe(0);
      });
    }
  });

  it("explains in people's words why signing in did not work", async () => {
    const task = await ask(app);
    await visit(task, async (page) => {
      const error = page.locator("#sign-in-error");
      for (const [key, words] of [
        ["", "Enter your key."],
        ["schlüssel", "cannot be a key"],
        [app.key("approver").slice(0, -1), "This key was not accepted."],
        [app.key("approver", "staging"), "use the key of the environment that the request came from"],
      ] as const) {
        await signIn(page, key);
        await error.filter({ hasText: words }).waitFor();
      }
      await page.route("**/v1/**", (route) => route.abort());
      await signIn(page, app.key("approver"));
      await error.filter({ hasText: "The service did not answer." }).waitFor();
      expect(await page.locator("#approval").isVisible()).toBe(false);
    });
  });

  it("shows text as text, and makes visible what hides in it", async () => {
    const lead_id = "ld_<img src=x onerror=document.title=1>\u202egnp.exe\u200b";
    const { task_id } = await app.dispatch({ lead_id });
    await visit(task_id, async (page) => {
      await signIn(page, app.key("approver"));
      await status(page, "Waiting for a decision");
      expect(await page.locator("#input td").innerText()).toBe("ld_<img src=x onerror=document.title=1>[U+202E]gnp.exe[U+200B]");
      expect(await page.locator("main img").count()).toBe(0);
      expect(await page.title()).toContain("sales asks to run qualify_lead");
    });
  });

  it("fits a phone, light and dark, with nothing to scroll sideways and fingers' room on buttons", async () => {
    const { task_id } = await app.dispatch({ lead_id: `ld_${"x".repeat(300)}` });
    for (const colorScheme of ["light", "dark"] as const) {
      await visit(
        task_id,
        async (page) => {
          const fits = "document.documentElement.scrollWidth <= innerWidth";
          expect(await page.evaluate(fits)).toBe(true);
          await signIn(page, app.key("approver"));
          await page.getByText("Exactly, as JSON").click();
          await page.getByRole("button", { name: "Reject…" }).click();
          expect(await page.evaluate(fits)).toBe(true);
          for (const button of await page.locator("#decision button:visible").all()) {
            expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
          }
          const dark = await page.evaluate(
            "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).every((part) => Number(part) < 64)",
          );
          expect(dark).toBe(colorScheme === "dark");
        },
        { viewport: { width: 320, height: 800 }, colorScheme },
      );
    }
  });

  it("answers 404 with a page of its own where the address holds no id", async () => {
    for (const id of ["tsk_1", "nothing", "%3Cscript%3E"]) {
      const { status, text, headers } = await app.call("GET", `/approvals/${id}`, { key: null });
      expect(status).toBe(404);
      expect(headers.get("content-security-policy")).toBe(contentSecurityPolicy);
      expect(text).toContain("This is not the address of an approval");
    }
  });
});
