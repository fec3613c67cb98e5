import { describe, expect, it } from "vitest";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

describe("the review queue", () => {
  const app = useApp({ role: "all" });
  const visit = useBrowser(app);
  const read = async (path: string) => (await app.call("GET", path)).body;

  it("has drawn tasks judged by one key each, without their trust score", async () => {
    const drawn = async () => (await read("/v1/evaluations/reviews?state=open")).data;
    await visit(
      "/reviews",
      async (page) => {
        await page.getByText("No reviews pending").waitFor();
        await page.getByLabel("Agent").fill("sales");
        await page.getByLabel("Percent of completed tasks").fill("100");
        await page.getByRole("button", { name: "Start monitor" }).click();
        await page.getByText("100 % of sales").waitFor();
        for (const lead_id of ["ld_1011", "ld_1012"]) await app.dispatch({ lead_id, require_approval: false });
        await expect.poll(async () => (await drawn()).length, { timeout: 60_000 }).toBe(2);
        const [first, second] = (await drawn()) as { input: { lead_id: string } }[];
        await page.reload();
        const asked = page.getByRole("table", { name: "Input" });
        await asked.getByText(first?.input.lead_id as string).waitFor();
        expect(await page.getByRole("main").innerText()).not.toMatch(/trust score [\d.]/i);
        await page.keyboard.press("n");
        await asked.getByText(second?.input.lead_id as string).waitFor();
        await page.getByRole("button", { name: "Right" }).click();
        await page.getByText("No reviews pending").waitFor();
        await page.getByText("2 tasks, 0 open").waitFor();
      },
      { key: app.key("admin") },
    );
    const [monitor] = (await read("/v1/evaluations/monitors")).data;
    expect(monitor).toMatchObject({ sampled: 2, open: 0, accepted: 0.5 });
  });
});
