import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

const source = `# What happens to a lead
workflow: intake
input: { type: object, required: [ lead_id ], properties: { lead_id: { type: string } } }
steps:
  - id: summarize
    agent: { name: sales, skill: summarise_lead, input: { lead_id: input.lead_id } }
`;

describe("workflows", () => {
  const app = useApp({ role: "all" });
  const visit = useBrowser(app);
  const violations = async (page: Page) =>
    (await new AxeBuilder({ page }).setLegacyMode(true).analyze()).violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${id}: ${target.join(" ")}`),
    );

  it("are corrected as text, extended in the picture, published, run by a form, and decided on the run's page", async () => {
    await app.call("POST", "/v1/workflows", { body: { source } });
    await visit(
      "/workflows/intake",
      async (page) => {
        const text = page.getByRole("textbox", { name: "Definition" });
        await page.getByRole("button", { name: /line 6, column/ }).waitFor();
        await page.getByRole("button", { name: /^Agent summarize/ }).waitFor();
        expect(await violations(page)).toEqual([]);
        await text.fill(source.replace("summarise_lead", "summarize_lead"));
        await page.getByText("Nothing wrong").waitFor();

        await page.getByRole("button", { name: /^Agent summarize/ }).click();
        await page.getByRole("group", { name: "Add a step after summarize" }).getByText("Approval").click();
        await page.getByLabel("Title", { exact: true }).first().fill("'Take ' + input.lead_id");
        await page.getByLabel("Title", { exact: true }).first().blur();
        expect(await text.inputValue()).toContain("# What happens to a lead");
        expect(await text.inputValue()).toContain("title: \"'Take ' + input.lead_id\"");
        await page.getByText("Nothing wrong").waitFor();
        await page.getByRole("button", { name: "Save draft" }).click();
        await page.getByRole("button", { name: "Publish…" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();

        await page.getByRole("button", { name: "Run…" }).click();
        await page.getByRole("dialog").getByLabel("lead_id").fill("ld_1001");
        await page.getByRole("dialog").getByRole("button", { name: "Start run" }).click();
        await page.waitForURL(/\/workflows\/intake\/runs\/wfr_/);
        const steps = page.getByRole("list", { name: "Steps" }).getByRole("button");
        await steps.filter({ hasText: "approval" }).filter({ hasText: "Waiting" }).click();
        await page.getByRole("button", { name: /^Approve/ }).click();
        await steps.filter({ hasText: "approval" }).filter({ hasText: "Completed" }).waitFor();
        await page.getByText("2 of 2 steps done").waitFor();
        expect(await violations(page)).toEqual([]);
      },
      { key: app.key("admin") },
    );
  });

  it("are lists of steps on a phone, with nothing to scroll sideways", async () => {
    await visit(
      "/workflows/intake",
      async (page) => {
        await page
          .getByRole("list", { name: "Steps" })
          .getByRole("button", { name: /summarize/ })
          .tap();
        await page.getByLabel("Skill").waitFor();
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
        expect(await violations(page)).toEqual([]);
      },
      { key: app.key("admin"), viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    );
  });
});
