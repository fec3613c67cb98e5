import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, stateOf } from "../../features/approvals/testing.ts";
import { useApp } from "../../testing/app.ts";
import { launchChromium } from "./chromium.fixture.ts";

describe("the page of an approval that went through more than one pair of hands", () => {
  const app = useApp();
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  /** Opens the page of a task with a key, at the width of a phone. */
  async function visit<T>(taskId: string, key: string, look: (page: Page) => Promise<T>): Promise<T> {
    const context = await browser.newContext({ viewport: { width: 360, height: 800 }, locale: "en-GB", timezoneId: "UTC" });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      await page.goto(`${app.url}/approvals/${taskId}`);
      await page.getByLabel("Your key").fill(key);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.locator("#approval").waitFor();
      return await look(page);
    } finally {
      await context.close();
    }
  }
  const act = (id: string, word: string, key: string, body: object) => app.call("POST", `/v1/approvals/${id}/${word}`, { key, body });
  const text = (page: Page, id: string) => page.locator(`#${id}`).innerText();

  it("sends it back with a note, and says what happens next", async () => {
    const task = await ask(app);
    await visit(task, app.key("approver"), async (page) => {
      expect(await page.locator("#round").isVisible()).toBe(false);
      await page.getByRole("button", { name: "Send back…" }).click();
      await page.getByRole("button", { name: "Send back", exact: true }).click();
      await page.getByText("Say what has to change").waitFor();
      await page.getByLabel("What has to change?").fill("The other lead.");
      await page.getByRole("button", { name: "Send back", exact: true }).click();
      await page
        .locator("#notice")
        .filter({ hasText: /^Sent back for changes\. Nothing runs: the task waits until its input was changed\.$/ })
        .waitFor();
      expect(await text(page, "status")).toBe("Sent back for changes");
      expect(await text(page, "bar")).toMatch(/^Sent back for changes by Test approver, .+“The other lead\.”$/);
    });
    expect(await stateOf(app, task)).toMatchObject({ status: "awaiting_approval", approval: "changes_requested" });
  });

  it("opens the right form again after the other one", async () => {
    const task = await ask(app);
    await visit(task, app.key("approver"), async (page) => {
      await page.getByRole("button", { name: "Send back…" }).click();
      await page.getByRole("button", { name: "Back", exact: true }).click();
      await page.locator("#change:focus").waitFor();
      await page.getByRole("button", { name: "Reject…" }).click();
      await page.getByLabel("Why not?").fill("Not this one.");
      await page.getByRole("button", { name: "Reject", exact: true }).click();
      await page
        .locator("#notice")
        .filter({ hasText: /^Rejected\./ })
        .waitFor();
    });
    expect(await stateOf(app, task)).toMatchObject({ status: "rejected", approval: "rejected" });
  });

  it("shows the round and who edited it, and that who edited may not approve it where others are demanded", async () => {
    const task = await ask(app, { requester_allowed: false });
    const editor = await app.member("approver");
    await act(task, "approve", editor.secret, { edits: { lead_id: "ld_1002" } });
    await visit(task, editor.secret, async (page) => {
      expect(await text(page, "round")).toBe("Round 2: it was asked for before. Edited by Test approver.");
      expect(await text(page, "needed")).toContain("and not the one who asked or edited");
      expect(await text(page, "bar")).toContain("You edited this");
      expect(await text(page, "input")).toContain("ld_1002");
    });
  });

  it("shows both names of a decision that was handed on, and of the vote", async () => {
    const task = await ask(app, { approvers: 2 });
    const [from, to] = [await app.member("approver"), await app.member("admin")];
    await act(task, "delegate", from.secret, { to: to.memberId, reason: "A lead of theirs." });
    await act(task, "approve", to.secret, {});
    await visit(task, from.secret, async (page) => {
      const votes = await text(page, "votes");
      expect(votes).toContain("Approved by Test admin in place of Test approver");
      expect(votes).toContain("Handed by Test approver to Test admin");
      expect(votes).toContain("“A lead of theirs.”");
      expect(await text(page, "bar")).toBe("You handed this on to Test admin, who decides in your place.");
    });
  });

  it("says that it was handed to the admins, and what becomes of it in the end", async () => {
    const task = await ask(app);
    await app.pool.query("update approvals set expires_at = '2099-01-02T03:04:05Z', on_expiry = 'escalate' where task_id = $1", [task]);
    await visit(task, app.key("approver"), async (page) => {
      expect(await text(page, "undecided")).toMatch(/^Nothing runs\. If nobody decides by 2 Jan 2099.+, only admins decide from then on\./);
    });
    await act(task, "delegate", app.key("approver"), { escalate: true, reason: "Unsure." });
    await visit(task, app.key("approver"), async (page) => {
      expect(await text(page, "round")).toMatch(/^Handed to the admins by Test approver, /);
      expect(await text(page, "bar")).toContain("only an admin decides it now");
      expect(await page.locator("#decision button:visible").count()).toBe(0);
    });
  });

  it("shows why a vote was not taken that became impossible meanwhile", async () => {
    const task = await ask(app);
    const { secret } = await app.member("approver");
    await visit(task, secret, async (page) => {
      await act(task, "delegate", app.key("approver"), { escalate: true, reason: "Unsure." });
      await page.getByRole("button", { name: "Approve", exact: true }).click();
      await page
        .locator("#notice")
        .filter({ hasText: /^Nothing was decided\. It was escalated.+Below is how it stands now\.$/ })
        .waitFor();
      await page.locator("#bar").filter({ hasText: "only an admin" }).waitFor();
    });
  });
});
