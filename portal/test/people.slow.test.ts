import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { ask, stateOf } from "../../server/src/features/approvals/testing.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

describe("approvals in many hands, while connections come and go", () => {
  const app = useApp();
  const visit = useBrowser(app);
  const approveButton = (page: Page) => page.getByRole("button", { name: /^Approve/ });

  it("tells who was slower of two who decide at once, and how it was decided", async () => {
    const task = await ask(app);
    const other = await app.member("approver");
    await visit(`/approvals/${task}`, async (first) => {
      await approveButton(first).waitFor();
      await visit(
        `/approvals/${task}`,
        async (second) => {
          await approveButton(second).waitFor();
          // Both have it before them; what either would read or hear meanwhile is held back.
          for (const page of [first, second])
            await page.route(/\/v1\/(approvals|webhooks)/, (route) =>
              route.request().method() === "GET" ? undefined : route.continue(),
            );
          await Promise.all([approveButton(first).click(), second.getByRole("button", { name: /^Reject/ }).click()]);
          await first
            .getByRole("status")
            .filter({ hasText: /^Approved by / })
            .waitFor();
          await second.getByLabel("Reason").fill("Wrong lead.");
          for (const page of [first, second]) await page.unroute(/\/v1\/(approvals|webhooks)/);
          await second.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
          await second
            .getByRole("status")
            .filter({ hasText: /Someone else decided first/ })
            .waitFor();
          await second
            .getByText(/Approved by Test approver, /)
            .first()
            .waitFor();
          expect(await approveButton(second).count()).toBe(0);
        },
        { key: other.secret },
      );
    });
    expect(await stateOf(app, task)).toMatchObject({ approval: "approved", votes: 1 });
  });

  it("decides what a dialog was opened on: a round that began meanwhile is told there, stays as it is, and costs nothing that was typed", async () => {
    const task = await ask(app, { approvers: 2 });
    await visit(`/approvals?open=${task}`, async (page) => {
      await page.getByRole("button", { name: /^Edit/ }).click();
      const dialog = page.getByRole("dialog", { name: "Edit and approve" });
      await dialog.getByLabel("lead_id").fill("ld_1003");
      const body = { edits: { lead_id: "ld_1002" } };
      const other = await app.call("POST", `/v1/approvals/${task}/approve`, {
        key: (await app.member("approver")).secret,
        body,
      });
      expect(other.body).toMatchObject({ status: "pending", round: 2 });
      await dialog.getByText("The action has changed").waitFor();
      await dialog.getByRole("button", { name: "Approve with changes" }).click();
      await dialog.getByText(/changed nothing|Nothing was decided/).waitFor();
      expect(await dialog.getByLabel("lead_id").inputValue()).toBe("ld_1003");
    });
    const { body: now } = await app.call("GET", `/v1/approvals/${task}`);
    expect([now.round, now.status, now.action.arguments.lead_id]).toEqual([2, "pending", "ld_1002"]);
  });

  it("says that nothing fits the filters where something waits", async () => {
    const task = await ask(app);
    await visit("/approvals?view=pending&risk=critical", async (page) => {
      await page.getByText("Change or clear the filters.").waitFor();
      await page.getByRole("link", { name: "Clear filters" }).click();
      await page.locator("li", { hasText: task.slice(-5) }).waitFor();
    });
  });

  it("shows what others decide without being asked to", async () => {
    const task = await ask(app);
    await visit(`/approvals/${task}`, async (page) => {
      await approveButton(page).waitFor();
      await app.call("POST", `/v1/approvals/${task}/reject`, { body: { reason: "Wrong lead." } });
      await page
        .getByText(/Rejected by Test admin, /)
        .first()
        .waitFor();
      expect(await approveButton(page).count()).toBe(0);
    });
  });

  it("shows in the inbox what comes while it is looked at, and keeps what stands open", async () => {
    const held = await ask(app);
    await visit("/approvals", async (page) => {
      await page.locator("li", { hasText: held.slice(-5) }).waitFor();
      await page.waitForURL(/open=tsk_/);
      const opened = new URL(page.url()).searchParams.get("open");
      const fresh = await ask(app);
      await page.locator("li", { hasText: fresh.slice(-5) }).waitFor();
      expect(new URL(page.url()).searchParams.get("open")).toBe(opened);
    });
  });

  it("says from when what is shown is while the service refuses to read it again, and renews it once it is ready", async () => {
    const task = await ask(app);
    await visit(
      `/approvals/${task}`,
      async (page) => {
        await approveButton(page).waitFor();
        const notice = page
          .getByRole("status")
          .filter({ hasText: /^This page was last updated at .*The database does not answer\.$/ });
        const refused = {
          status: 503,
          code: "unavailable",
          title: "Not now",
          detail: "The database does not answer.",
          retryable: false,
        };
        const out = /\/(v1\/(?!webhooks)|readyz)/;
        await page.route(out, (route) =>
          route.fulfill({ status: 503, contentType: "application/problem+json", json: refused }),
        );
        // The event has all of it asked again.
        await app.call("POST", `/v1/approvals/${task}/reject`, { body: { reason: "Wrong lead." } });
        await notice.waitFor();
        await page.unroute(out);
        await page
          .getByText(/Rejected by Test admin, /)
          .first()
          .waitFor();
        await notice.waitFor({ state: "detached" });
      },
      { tolerates: /status of 503/ },
    );
  });

  it("says that the connection is lost, goes on by itself, and shows what happened meanwhile", async () => {
    const task = await ask(app);
    await visit(`/approvals/${task}`, async (page) => {
      await approveButton(page).waitFor();
      const lost = page.getByText("Connection lost.");
      await page.context().setOffline(true);
      await approveButton(page).click();
      await lost.waitFor();
      await page
        .getByRole("status")
        .filter({ hasText: /may or may not have been recorded/ })
        .waitFor();
      await app.call("POST", `/v1/approvals/${task}/reject`, { body: { reason: "Wrong lead." } });
      await page.context().setOffline(false);
      await lost.waitFor({ state: "hidden" });
      await page
        .getByText(/Rejected by Test admin, /)
        .first()
        .waitFor();
    });
    expect(await stateOf(app, task)).toMatchObject({ approval: "rejected" });
  });
});
