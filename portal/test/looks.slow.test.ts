import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { ask } from "../../server/src/features/approvals/testing.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

const wide = { width: 1360, height: 900 };
const phone = { width: 360, height: 780 };
const windows = [
  { name: "wide and light", colorScheme: "light", viewport: wide },
  { name: "on a phone and dark", colorScheme: "dark", viewport: phone, hasTouch: true, isMobile: true },
] as const;

describe("the portal's looks", () => {
  const app = useApp();
  const visit = useBrowser(app);

  /** What axe finds, by rule and place. */
  async function violations(page: Page): Promise<string[]> {
    const { violations: found } = await new AxeBuilder({ page })
      .setLegacyMode()
      .options({ resultTypes: ["violations"] })
      .analyze();
    return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
  }
  const fits = (page: Page) => page.evaluate("document.documentElement.scrollWidth <= innerWidth");

  it.each(windows)("have nothing that axe finds, $name", async ({ name: _, ...options }) => {
    const task = await ask(app, { approvers: 2, risk_level: "critical" });
    await ask(app);
    await visit("/sign-in", async (page) => expect(await violations(page)).toEqual([]), { ...options, key: null });
    await visit(
      "/",
      async (page) => {
        await page.getByRole("heading", { name: "Needs you" }).waitFor();
        expect(await violations(page)).toEqual([]);
        await page.goto(`${app.url}/approvals`);
        await page.getByRole("list", { name: "Approvals" }).waitFor();
        expect(await violations(page)).toEqual([]);
        await page.goto(`${app.url}/approvals?view=decided`);
        await page.getByRole("heading", { name: "No decisions yet" }).waitFor();
        expect(await violations(page)).toEqual([]);
        await page.goto(`${app.url}/approvals/${task}`);
        await page.getByText("Exactly, as JSON").click();
        expect(await violations(page)).toEqual([]);
        await page.getByRole("button", { name: /^Approve/ }).click();
        await page.getByRole("dialog").waitFor();
        expect(await violations(page)).toEqual([]);
        await page.goto(`${app.url}/approvals/tsk_01jd8x0000000000000000000a`);
        await page.getByRole("heading", { name: "Not found here" }).waitFor();
        expect(await violations(page)).toEqual([]);
      },
      options,
    );
  });

  it.each(["light", "dark"] as const)(
    "fit a phone in %s: nothing to scroll sideways, and fingers' room on what decides",
    async (colorScheme) => {
      const { task_id } = await app.dispatch({ lead_id: `ld_${"x".repeat(300)}` });
      await visit(
        `/approvals/${task_id}`,
        async (page) => {
          await page.getByText("Exactly, as JSON").click();
          expect(await fits(page)).toBe(true);
          for (const name of [/^Approve/, /^Reject/, /^Request changes/, /^Edit/]) {
            const box = await page.getByRole("button", { name }).boundingBox();
            expect(box?.height).toBeGreaterThanOrEqual(44);
            expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(700);
          }
          await page.getByRole("button", { name: /^Reject/ }).click();
          expect(await fits(page)).toBe(true);
          const dark = await page.evaluate(
            "getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).every((part) => Number(part) < 64)",
          );
          expect(dark).toBe(colorScheme === "dark");
          for (const path of ["/", "/approvals"]) {
            await page.goto(app.url + path);
            await page.getByRole("heading", { level: 1 }).waitFor();
            expect(await fits(page)).toBe(true);
          }
        },
        { viewport: { width: 320, height: 700 }, hasTouch: true, isMobile: true, colorScheme },
      );
    },
  );

  it("decide on a phone: from the list to the page, and reject in a sheet at the bottom", async () => {
    const task = await ask(app);
    await visit(
      "/approvals",
      async (page) => {
        await page
          .locator("li", { hasText: task.slice(-5) })
          .getByRole("link")
          .tap();
        await page.waitForURL(`${app.url}/approvals/${task}`);
        await page.getByRole("button", { name: /^Reject/ }).tap();
        await page.getByLabel("Reason").fill("Not on a Sunday.");
        await page.getByRole("dialog").getByRole("button", { name: "Reject" }).tap();
        await page
          .getByRole("status")
          .filter({ hasText: /^Rejected / })
          .waitFor();
        await page.getByRole("button", { name: "More" }).tap();
        await page.getByRole("dialog", { name: "All pages" }).getByRole("link", { name: "Policies" }).tap();
        await page.waitForURL(`${app.url}/policies`);
      },
      { viewport: phone, hasTouch: true, isMobile: true },
    );
  });

  it("follow the system, until another theme is chosen, which stays", async () => {
    await visit(
      "/",
      async (page) => {
        const ground = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
        await page.getByRole("heading", { level: 1 }).waitFor();
        const dark = await ground();
        await page.getByRole("button", { name: /^Theme: system/ }).click();
        await expect.poll(ground).not.toBe(dark);
        const light = await ground();
        await page.reload();
        await page.getByRole("heading", { level: 1 }).waitFor();
        await expect.poll(ground).toBe(light);
      },
      { colorScheme: "dark" },
    );
  });
});
