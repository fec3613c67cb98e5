import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

// Service levels of conversations, and the way from a figure to what it counts. `AOS_SCREENSHOTS` names a folder for pictures.

describe("the view of service levels", () => {
  const app = useApp();
  const visit = useBrowser(app);
  const folder = process.env.AOS_SCREENSHOTS;
  const picture = async (page: Page, name: string): Promise<void> => {
    if (folder === undefined) return;
    await mkdir(folder, { recursive: true });
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };

  beforeAll(async () => {
    for (const team of ["billing", "support"])
      await app.call("PUT", `/v1/admin/teams/${team}`, { body: { title: team, targets: { waiting_seconds: 300 } } });
    for (let at = 0; at < 8; at++) {
      const body = { agent: "sales", user: `customer-${at}`, title: `Question ${at}` };
      const id = (await app.call("POST", "/v1/chat/conversations", { body })).body.conversation_id;
      const team = at % 3 === 0 ? "support" : "billing";
      const asked = { to: "person", team, reason: "Asked." };
      await app.call("POST", `/v1/chat/conversations/${id}/handoff`, { body: asked });
      if (at === 0) continue;
      await app.pool.query(
        `update chat_handovers set requested_at = r, taken_at = r + w, answered_at = r + w + interval '50 seconds', ended_at = r + interval '3 hours',
           waiting_due_at = r + interval '5 minutes', waiting_breached_at = case when w > interval '5 minutes' then r + interval '5 minutes' end
         from (select now() - $2::int * interval '30 hours' as r, $2::int * interval '75 seconds' as w) t where conversation = $1`,
        [id, at],
      );
    }
  });

  it("shows figures over time and by team, and leads to the conversations behind each", async () => {
    await visit(
      "/analytics/service-levels",
      async (page) => {
        await page.getByRole("table", { name: "Teams" }).waitFor();
        await page.locator(".recharts-surface").first().waitFor();
        await picture(page, "levels-wide");
        const row = page.getByRole("row", { name: /billing/ });
        await row.getByRole("link", { name: /^2 \(/ }).click();
        await page.getByText("Conversations that exceeded a service level, for the team billing").waitFor();
        const questions = page.getByRole("main").getByRole("link", { name: /Question/ });
        expect(await questions.count()).toBe(2);
        await picture(page, "levels-behind");
        await page.goBack();
        await page.getByRole("list", { name: "Figures" }).getByRole("link", { name: "1", exact: true }).click();
        await page.getByText("Conversations that wait for a person").waitFor();
        await page.getByText("Question 0").waitFor();
        expect(await questions.count()).toBe(1);
      },
      { viewport: { width: 1280, height: 900 } },
    );
  });

  it("fits a phone in the dark", async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    await visit(
      "/conversations",
      async (page) => {
        await page.getByRole("link", { name: "Service levels" }).tap();
        await page.getByRole("table", { name: "Teams" }).waitFor();
        await page.locator(".recharts-surface").first().waitFor();
        await picture(page, "levels-phone");
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      },
      { colorScheme: "dark", ...phone },
    );
  });
});
