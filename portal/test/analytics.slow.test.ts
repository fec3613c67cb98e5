import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { deployedAgent } from "../../server/src/features/agents/testing.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

describe("figures in the portal", () => {
  const app = useApp({ role: "all" });
  const visit = useBrowser(app);
  const read = async (path: string) => (await app.call("GET", path)).body;
  const admin = () => ({ key: app.key("admin") });
  const tile = (page: Page, name: string) =>
    page.getByRole("list", { name: "Figures" }).getByRole("listitem").filter({ hasText: name }).first();
  const tasks: string[] = [];

  beforeAll(async () => {
    for (const lead_id of ["ld_1031", "ld_1032", "ld_1033"])
      tasks.push((await app.dispatch({ lead_id, require_approval: false })).task_id);
    const done = async () => (await read("/v1/tasks?status=completed")).data.length;
    await vi.waitFor(async () => expect(await done()).toBe(3), { timeout: 60_000 });
    await app.call("POST", `/v1/tasks/${tasks[0]}/feedback`, { body: { accepted: false } });
    const counted = async () => (await read("/v1/analytics/overview")).figures;
    const known = { completed: { value: 3 }, accepted_rate: { n: 1 } };
    await vi.waitFor(async () => expect(await counted()).toMatchObject(known), { timeout: 60_000 });
  }, 240_000);

  it("lead from a figure to the tasks behind it, and keep the window in the address", async () => {
    await visit(
      "/analytics",
      async (page) => {
        await page.getByRole("group", { name: "Window of time" }).getByText("Last 24 hours").click();
        await page.getByRole("button", { name: "Last 24 hours", pressed: true }).waitFor();
        await tile(page, "Accepted").getByText("0 %", { exact: true }).waitFor();
        await page.getByRole("navigation", { name: "Analytics" }).getByRole("link", { name: "Usage" }).click();
        await page.waitForURL(/analytics\/usage.*range=24h/);
        await tile(page, "Completed").getByRole("link").click();
        await page.waitForURL(/\/tasks\?.*created_after/);
        await expect.poll(() => page.getByRole("table", { name: "Tasks" }).locator("tbody tr").count()).toBe(3);
      },
      admin(),
    );
  });

  it("answer an own query, as a table and over time", async () => {
    await visit(
      "/analytics/query",
      async (page) => {
        await page.getByRole("group", { name: "Measures of tasks" }).getByText("Completed").click();
        await page.getByRole("group", { name: "Rows by" }).getByText("Skill").click();
        const rows = page.getByRole("table", { name: "Answer" }).locator("tbody tr");
        await rows.filter({ hasText: "qualify_lead" }).filter({ hasText: "3" }).waitFor();
        await page.getByLabel("Only where").fill('skil == "x"');
        await page.getByRole("button", { name: "Ask", exact: true }).click();
        await page.getByRole("alert").getByText("skill").first().waitFor();
      },
      admin(),
    );
  });

  it("begin a canary from a version, change its share and abort it with a reason", async () => {
    await deployedAgent(app, "greeter", { versions: 2, deploy: [1] });
    await visit(
      "/agents/greeter?tab=versions",
      async (page) => {
        const dialog = page.getByRole("dialog");
        await page.getByRole("button", { name: "Deploy" }).first().click();
        await dialog.getByLabel("How").selectOption("canary");
        await dialog.getByLabel("Percent of new tasks").fill("25");
        await dialog.getByRole("button", { name: "Start canary" }).click();
        await page.getByRole("tab", { name: "Canary" }).click();
        await page.getByRole("img", { name: /75 % of new tasks.*25 %/ }).waitFor();
        await page.getByRole("button", { name: "Change share" }).click();
        await dialog.getByLabel("Percent of new tasks").fill("40");
        await dialog.getByRole("button", { name: "Change share" }).click();
        await page.getByRole("img", { name: /60 % of new tasks.*40 %/ }).waitFor();
        await page.getByRole("button", { name: "Abort" }).click();
        await dialog.getByLabel("Why").fill("Not on a Friday.");
        await dialog.getByRole("button", { name: "Abort" }).click();
        await page.getByText("Not on a Friday.").waitFor();
      },
      admin(),
    );
    const [canary] = (await read("/v1/agents/greeter/deployments")).data;
    expect(canary).toMatchObject({ mode: "canary", outcome: "aborted", reason: "Not on a Friday." });
  });
});
