import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { untilSequenced } from "../../server/src/features/audit/testing.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { eventually } from "../../server/src/testing/tasks.ts";
import { useBrowser } from "./browser.fixture.ts";

describe("the audit log", () => {
  const app = useApp({ role: "all" });
  const visit = useBrowser(app);

  /** A refund that an approver let through. */
  async function approvedRefund(): Promise<{ task: string; approver: string }> {
    const { task_id: task } = await app.dispatch({ lead_id: "ld_7 refund of 240.00 dollars" });
    const { body: approval } = await app.call("GET", `/v1/approvals/${task}`);
    const approver = await app.member("approver");
    const { digest } = approval;
    const approved = await app.call("POST", `/v1/approvals/${task}/approve`, {
      key: approver.secret,
      body: { digest },
    });
    expect(approved.status, approved.text).toBe(200);
    await untilSequenced(app, approved.headers.get("audit-ref") ?? "");
    // The words follow the log by a moment.
    await eventually(async () =>
      expect((await app.call("GET", "/v1/audit/events?text=refund&action=approvals.approve")).body.data).toHaveLength(
        1,
      ),
    );
    return { task, approver: approver.memberId };
  }

  it("answers in three steps who let an agent refund 240 dollars, with the proof", async () => {
    const { task, approver } = await approvedRefund();
    await visit(
      "/audit",
      async (page) => {
        await page.getByLabel("Words of the task").fill("refund 240");
        await page.getByLabel("Operation").fill("approvals.approve");
        const found = page.getByRole("table", { name: "Records" }).getByRole("link", { name: "approvals.approve" });
        await page.getByRole("button", { name: "Search" }).click();
        await found.click();
        const record = page.getByRole("dialog");
        await record.getByText(approver).waitFor();
        await record.getByRole("button", { name: "Verify in this browser" }).click();
        await record.getByText("Verified in this browser").waitFor();
        await record.getByRole("link", { name: "The task, with its decision record" }).click();
        await page.waitForURL(`**/tasks/${task}`);
        const download = page.waitForEvent("download");
        await page.getByRole("button", { name: "Save the decision record" }).click();
        const saved = JSON.parse(await readFile(await (await download).path(), "utf8"));
        expect(JSON.stringify(saved)).toContain(approver);
      },
      { key: app.key("auditor") },
    );
  }, 120_000);
});
