import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { ask, demand, stateOf } from "../../server/src/features/approvals/testing.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { useWorkerProcess } from "../../server/src/testing/worker.ts";
import { useBrowser } from "./browser.fixture.ts";

describe("the page behind approve_url", () => {
  const app = useApp();
  const workers = useWorkerProcess(app);
  const visit = useBrowser(app);

  const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
  const said = (page: Page, text: RegExp) => page.getByRole("status").filter({ hasText: text }).first().waitFor();
  const titled = (page: Page, text: string | RegExp) => page.getByRole("heading", { name: text, level: 1 }).waitFor();
  const decision = (page: Page) => page.getByRole("region", { name: /decision/ });

  it("decides nothing by being opened", async () => {
    const task = await ask(app);
    const before = await stateOf(app, task);
    await visit(`/approvals/${task}`, async (page) => {
      await titled(page, /^Qualify lead ld_/);
      await page.reload();
      await button(page, /^Approve/)
        .first()
        .waitFor();
    });
    expect(await stateOf(app, task)).toEqual(before);
  });

  it("shows what will happen, why it was asked, risk, trust, evidence, cost and votes", async () => {
    const task = await ask(app, { approvers: 2, requester_allowed: false });
    const { body } = await app.call("GET", `/v1/approvals/${task}`);
    await visit(`/approvals/${task}`, async (page) => {
      await titled(page, /^Qualify lead ld_/);
      await page.getByText("checked by your browser").waitFor();
      await page.getByRole("heading", { name: "Evidence" }).waitFor();
      const text = await page.locator("main").innerText();
      for (const part of [
        "Pending",
        "ld_1001",
        "The caller asked for approval.",
        "Medium risk",
        "It touches personal data.",
        "2 different people must approve, other than the requester. 0 of 2 so far",
        "Requested by Test admin",
        "Nothing runs or expires",
        "Cost so far",
        "Environment",
      ]) {
        expect(text).toContain(part);
      }
      expect(await page.getByRole("img", { name: /^Trust \d+ %, between \d+ % and \d+ %$/ }).count()).toBeGreaterThan(
        0,
      );
      await page.getByText("Exactly, as JSON").click();
      expect(JSON.parse(await page.getByRole("group", { name: "Exactly, as JSON" }).innerText())).toEqual(body.action);
    });
  });

  it("approves what was shown, and follows the task until it has ended", async () => {
    const task = await ask(app);
    await visit(`/approvals/${task}`, async (page) => {
      await button(page, /^Approve/).click();
      await said(page, /^Approved by Test approver, .+\. The task is queued/);
      const worker = await workers.worker();
      try {
        await page.getByText("Approved and executed").waitFor();
      } finally {
        await worker.stop(0);
      }
      await said(page, /^Approved by Test approver, .+\. Executed; the task has completed\.$/);
      const text = await page.locator("main").innerText();
      expect(text.match(/The task is queued|the task has completed|Nobody was asked/g)).toEqual([
        "the task has completed",
      ]);
    });
  });

  it("asks once more before something at high risk is approved", async () => {
    const task = await ask(app, { risk_level: "critical" });
    await visit(`/approvals/${task}`, async (page) => {
      await button(page, /^Approve/).click();
      const dialog = page.getByRole("dialog", { name: "Approve at critical risk?" });
      expect(await dialog.innerText()).toContain("ld_1001");
      expect(await stateOf(app, task)).toMatchObject({ approval: "pending", votes: 0 });
      await dialog.getByRole("button", { name: "Approve" }).click();
      await said(page, /^Approved by /);
    });
    expect(await stateOf(app, task)).toMatchObject({ status: "queued", approval: "approved" });
  });

  it("says how many more have to approve", async () => {
    const task = await ask(app, { approvers: 2 });
    await visit(`/approvals/${task}`, async (page) => {
      await button(page, /^Approve/).click();
      await said(page, /1 more person must approve/);
      await page.getByText("1 of 2 so far").waitFor();
      expect(await decision(page).innerText()).toContain("You have approved; 1 more approval is needed.");
    });
    expect(await stateOf(app, task)).toMatchObject({ approval: "pending", votes: 1 });
  });

  it("rejects with a reason, and not without", async () => {
    const task = await ask(app);
    await visit(`/approvals/${task}`, async (page) => {
      await button(page, /^Reject/).click();
      const dialog = page.getByRole("dialog", { name: "Reject" });
      await dialog.getByRole("button", { name: "Reject" }).click();
      await dialog.getByText("Enter a reason.").waitFor();
      await dialog.getByLabel("Reason").fill("Not this one.");
      await dialog.getByRole("button", { name: "Reject" }).click();
      await said(page, /^Rejected by Test approver, .+\. The task has ended\. Nothing was executed\.$/);
      await page.getByText("“Not this one.”").or(page.getByText("Not this one.")).first().waitFor();
    });
    expect(await stateOf(app, task)).toMatchObject({
      status: "rejected",
      failure: expect.stringContaining("Not this one."),
    });
  });

  it("sends it back with a note, and says what happens next", async () => {
    const task = await ask(app);
    await visit(`/approvals/${task}`, async (page) => {
      await button(page, /^Request changes/).click();
      const dialog = page.getByRole("dialog", { name: "Request changes" });
      await dialog.getByLabel("What has to change?").fill("The other lead.");
      await dialog.getByRole("button", { name: "Request changes" }).click();
      await said(page, /^Changes requested by Test approver, .+\. Nothing runs until the input is changed\.$/);
    });
    expect(await stateOf(app, task)).toMatchObject({ status: "awaiting_approval", approval: "changes_requested" });
  });

  it("approves another input than was asked for, judged like a new request", async () => {
    const task = await ask(app);
    await visit(`/approvals/${task}`, async (page) => {
      await button(page, /^Edit/).click();
      const dialog = page.getByRole("dialog", { name: "Edit and approve" });
      await dialog.getByLabel("lead_id").fill("1002");
      await dialog.getByRole("button", { name: "Approve with changes" }).click();
      await said(page, /Nothing was decided/);
      expect(await dialog.getByRole("status").innerText()).toContain("lead_id");
      await page.mouse.click(5, 5);
      expect(await dialog.getByLabel("lead_id").inputValue()).toBe("1002");
      await dialog.getByLabel("lead_id").fill("ld_1002");
      await dialog.getByRole("button", { name: "Approve with changes" }).click();
      await page.getByText(/Round 2: approval was requested before\. Edited by Test approver\./).waitFor();
      await page.getByRole("cell", { name: "ld_1002" }).waitFor();
    });
  });

  it("decides nothing when the action has changed since it was shown, and says so", async () => {
    const task = await ask(app);
    await visit(`/approvals/${task}`, async (page) => {
      await page.getByText("checked by your browser").waitFor();
      // The page's next readings are held back, so that the vote is for what was shown before.
      await page.route("**/v1/approvals/*", (route) =>
        route.request().method() === "GET" ? undefined : route.continue(),
      );
      await app.pool.query('update tasks set input = \'{"lead_id":"ld_1002"}\' where id = $1', [task]);
      await button(page, /^Approve/).click();
      await said(page, /has changed since you opened it\. Nothing was decided/);
      await page.unroute("**/v1/approvals/*");
      await page.reload();
      await page.getByText("does not fit what is stored now").waitFor();
      expect(await button(page, /^Approve/).count()).toBe(0);
    });
    expect(await stateOf(app, task)).toMatchObject({ approval: "pending", votes: 0 });
  });

  it("tells who may not decide why, and offers no button", async () => {
    const task = await ask(app);
    await demand(app, task, { requester_allowed: false });
    for (const [role, reason] of [
      ["viewer", "may read but not decide"],
      ["admin", "You asked for this"],
    ] as const) {
      await visit(
        `/approvals/${task}`,
        async (page) => {
          await decision(page).filter({ hasText: reason }).waitFor();
          expect(await button(page, /^(Approve|Reject|Request changes|Edit)/).count()).toBe(0);
        },
        { key: app.key(role) },
      );
    }
  });

  it("shows both names of a decision that was handed on, and of the vote", async () => {
    const task = await ask(app, { approvers: 2 });
    const [from, to] = [await app.member("approver"), await app.member("admin")];
    await app.call("POST", `/v1/approvals/${task}/delegate`, {
      key: from.secret,
      body: { to: to.memberId, reason: "A lead of theirs." },
    });
    await app.call("POST", `/v1/approvals/${task}/approve`, { key: to.secret, body: {} });
    await visit(
      `/approvals/${task}`,
      async (page) => {
        const votes = page.getByRole("list", { name: "Votes" });
        await votes.getByText("Approved by Test admin on behalf of Test approver").waitFor();
        await votes.getByText("Delegated by Test approver to Test admin").waitFor();
        await votes.getByText("A lead of theirs.").waitFor();
        expect(await decision(page).innerText()).toContain(
          "You handed this on to Test admin, who decides in your place.",
        );
      },
      { key: from.secret },
    );
  });

  it("shows text as text, and makes visible what hides in it", async () => {
    const lead_id = "ld_<img src=x onerror=document.title=1>\u202egnp.exe\u200b";
    const { task_id } = await app.dispatch({ lead_id });
    await visit(`/approvals/${task_id}`, async (page) => {
      await titled(page, /^Qualify lead ld_/);
      expect(await page.getByRole("table", { name: "Input" }).locator("td").innerText()).toBe(
        "ld_<img src=x onerror=document.title=1>[U+202E]gnp.exe[U+200B]",
      );
      expect(await page.locator("main img").count()).toBe(0);
    });
  });

  it("says where there is nothing to decide that it may be in another environment", async () => {
    await visit("/approvals/tsk_01jd8x0000000000000000000a", async (page) => {
      await titled(page, "Not found here");
      await page.getByRole("alert").getByRole("link", { name: "Cause and fix" }).waitFor();
      expect(await page.getByRole("alert").innerText()).toMatch(/Recorded as\s+aud_/);
    });
  });
});
