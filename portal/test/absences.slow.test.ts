import { describe, expect, it } from "vitest";
import { ask } from "../../server/src/features/approvals/testing.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe("standing in for a colleague", () => {
  const app = useApp({ role: "all" });
  const visit = useBrowser(app);

  it.each([
    ["on a wide screen", {}],
    ["on a phone", phone],
  ])("is arranged by the one who is away, and decided and shown in both names, %s", async (_where, screen) => {
    const [away, here] = [await app.member("admin"), await app.member("approver")];
    const named = (member: string, name: string) =>
      app.pool.query("update members set name = $2 where id = $1", [member, name]);
    await named(away.memberId, "Ada Away");
    await named(here.memberId, "Hans Here");
    const task = await ask(app);
    await app.call("POST", `/v1/approvals/${task}/delegate`, { body: { escalate: true, reason: "Unsure." } });
    await visit(
      "/approvals?view=absences",
      async (page) => {
        await page.getByRole("button", { name: "Have somebody stand in" }).click();
        const dialog = page.getByRole("dialog", { name: "Have somebody stand in" });
        await dialog.getByLabel("Who decides instead").selectOption({ value: here.memberId });
        await dialog.getByLabel("Why").fill("On leave.");
        await dialog.getByRole("button", { name: "Create" }).click();
        const row = page.getByRole("listitem").filter({ hasText: "Hans Here for Ada Away" }).first();
        await row.getByText("active", { exact: true }).waitFor();
        await row.getByText("On leave.").waitFor();
      },
      { ...screen, key: away.secret },
    );
    await visit(
      `/approvals/${task}`,
      async (page) => {
        await page
          .getByText("You stand in for Ada Away: your decision carries both names and counts as one.")
          .locator("visible=true")
          .first()
          .waitFor();
        await page
          .getByRole("button", { name: /^Approve/ })
          .locator("visible=true")
          .click();
        await page.getByText("Approved by Hans Here on behalf of Ada Away").waitFor();
      },
      { ...screen, key: here.secret },
    );
    expect((await app.call("GET", `/v1/approvals/${task}`)).body.status).not.toBe("pending");
    await visit(
      "/approvals?view=absences",
      async (page) => {
        const row = page.getByRole("listitem").filter({ hasText: "Hans Here for Ada Away" }).first();
        await row.getByRole("button", { name: "End…" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "End it" }).click();
        await row.waitFor({ state: "detached" });
      },
      { ...screen, key: here.secret },
    );
  });
});
