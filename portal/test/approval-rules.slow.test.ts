import { AxeBuilder } from "@axe-core/playwright";
import { describe, expect, it } from "vitest";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe("approval rules in the portal", () => {
  const app = useApp({ role: "all" });
  const visit = useBrowser(app);

  it.each([
    ["on a wide screen", "wide", {}],
    ["on a phone", "phone", phone],
  ])(
    "are made without JSON, tested on past tasks before they bite, and seen where they ask, %s",
    async (_where, name, screen) => {
      const { memberId } = await app.member("approver");
      const person = `Fay ${name}`;
      await app.pool.query("update members set name = $2 where id = $1", [memberId, person]);
      await app.dispatch();
      const rule = `leads-${name}`;
      await visit(
        "/approvals?view=rules",
        async (page) => {
          await page.getByRole("button", { name: "New rule" }).click();
          const dialog = page.getByRole("dialog", { name: "New approval rule" });
          await dialog.getByLabel("What people call it").fill(`Leads, ${name}`);
          await dialog.getByLabel("Name", { exact: true }).fill(rule);
          await dialog.getByRole("button", { name: "sales", exact: true }).click();
          await dialog.getByRole("button", { name: person }).click();
          await dialog.getByRole("button", { name: "Add a stage" }).click();
          await dialog.getByRole("group", { name: "Roles of stage 2" }).getByRole("button", { name: "admins" }).click();
          await dialog.getByLabel("Four eyes").check();
          await dialog.getByLabel("Hours until it ends").fill("24");
          await dialog.getByRole("button", { name: "Test on past tasks" }).click();
          await dialog.getByText(/^[1-9]\d* caught$/).waitFor();
          await dialog.getByText(`1. ${person}: 1 person could approve now`).waitFor();
          const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
          expect(
            violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`)),
          ).toEqual([]);
          await dialog.getByRole("button", { name: "Put in force" }).click();
          const row = page.getByRole("listitem").filter({ hasText: `Leads, ${name}` });
          await row.getByText(`${person}, then one of the admins`).waitFor();
          expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
        },
        { ...screen, key: app.key("admin") },
      );
      expect((await app.call("GET", `/v1/approvals/settings/rules/${rule}`)).body).toMatchObject({
        when: { agents: ["sales"] },
        require: {
          stages: [{ members: [memberId] }, { roles: ["admin"] }],
          four_eyes: true,
          expires_in_seconds: 86_400,
        },
      });
      const { task_id: task } = await app.dispatch();
      await visit(
        `/approvals/${task}`,
        async (page) => {
          await page
            .getByText(new RegExp(`^Rule Leads, ${name}, version 1`))
            .locator("visible=true")
            .waitFor();
        },
        { ...screen, key: app.key("approver") },
      );
      await visit(
        "/approvals?view=rules",
        async (page) => {
          const row = page.getByRole("listitem").filter({ hasText: `Leads, ${name}` });
          await row.getByRole("button", { name: "Retire…" }).click();
          await page.getByRole("dialog").getByRole("button", { name: "Retire it" }).click();
          await row.waitFor({ state: "detached" });
        },
        { ...screen, key: app.key("admin") },
      );
    },
  );
});
