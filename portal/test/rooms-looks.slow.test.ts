import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roomsOf } from "../../scripts/screenshots/rooms.ts";
import { type Furnished, furnish } from "../../scripts/screenshots/seed.ts";
import { caller } from "../../scripts/screenshots/service.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { type Receiver, startReceiver } from "../../server/src/testing/receiver.ts";
import { useBrowser } from "./browser.fixture.ts";

/** Colours have come to rest after a change of theme. */
const painted = `new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))).then(() =>
  Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished)))`;

/** Rooms that `looks.slow.test.ts` holds against axe, in more of their states. */
const seenElsewhere = new Set(["sign-in", "home", "approvals", "approval"]);

describe("every room", () => {
  const app = useApp({ role: "all" });
  const visit = useBrowser(app);
  let receiver: Receiver;
  let furnished: Furnished;
  beforeAll(async () => {
    receiver = await startReceiver(({ path }) => ({ status: path === "/good" ? 204 : 503 }));
    furnished = await furnish({ receiver: receiver.url, call: caller(app.url, app.key("admin")) });
  }, 240_000);
  afterAll(() => receiver.close());

  let looks = 0;

  /** What axe finds, in light and in dark in turns: rooms are made of the same parts. */
  async function violations(page: Page): Promise<string[]> {
    const colorScheme = looks++ % 2 === 0 ? "light" : "dark";
    await page.emulateMedia({ colorScheme });
    await page.evaluate(painted);
    const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ["violations"] }); // in the page itself, which has no frames
    return (await axe.analyze()).violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${colorScheme} ${new URL(page.url()).pathname} ${id}: ${target.join(" ")}`),
    );
  }

  /** The page has its title, and nothing of it is on its way. */
  async function settled(page: Page): Promise<void> {
    await page.getByRole("heading", { level: 1 }).waitFor();
    const onItsWay = page.locator(".animate-pulse.rounded");
    while ((await onItsWay.count()) > 0) await onItsWay.first().waitFor({ state: "detached" });
  }
  const admin = () => ({ key: app.key("admin") });

  const isFigures = ({ name }: { readonly name: string }): boolean => name.startsWith("analytics");
  it.each([
    ["figures", isFigures],
    ["all others", (room: { readonly name: string }) => !isFigures(room)],
  ] as const)(
    "has nothing that axe finds, in light or in dark: %s",
    async (_rooms, isOne) => {
      const found: string[] = [];
      await visit(
        "/",
        async (page) => {
          for (const room of roomsOf(furnished).filter((one) => isOne(one) && !seenElsewhere.has(one.name))) {
            await page.goto(app.url + room.path);
            await settled(page);
            found.push(...(await violations(page)));
          }
        },
        admin(),
      );
      expect(found).toEqual([]);
    },
    400_000,
  );

  it("has nothing that axe finds where all of it is shown: each tab, and what can be unfolded", async () => {
    const found: string[] = [];
    await visit(
      "/",
      async (page) => {
        for (const path of ["/agents/sales", `/policies/${furnished.policy}`, "/knowledge/bases/handbook"]) {
          await page.goto(app.url + path);
          await settled(page);
          const tabs = await page.getByRole("tab").all();
          for (const tab of tabs.slice(1)) {
            await tab.click();
            await settled(page);
            found.push(...(await violations(page)));
          }
        }
        await page.goto(`${app.url}/tasks/${furnished.task}`);
        await settled(page);
        for (const folded of await page.locator("details > summary").all()) await folded.click();
        await page.getByRole("button", { name: "Verify in this browser" }).click();
        await page.getByRole("status").filter({ hasText: "Verified in this browser" }).waitFor();
        found.push(...(await violations(page)));
      },
      admin(),
    );
    expect(found).toEqual([]);
  });

  it("has nothing that axe finds in its dialogs", async () => {
    const found: string[] = [];
    await visit(
      "/",
      async (page) => {
        const opened = async (path: string, name: string | RegExp) => {
          await page.goto(app.url + path);
          await settled(page);
          await page.getByRole("button", { name }).first().click();
          await page.getByRole("dialog").waitFor();
          found.push(...(await violations(page)));
        };
        await opened("/policies", /^New policy/);
        await page.getByRole("dialog").getByLabel("When", { exact: true }).fill("risk.score >");
        await page.getByRole("button", { name: "Activate" }).click();
        await page.locator("pre").filter({ hasText: "▲" }).waitFor();
        found.push(...(await violations(page)));
        await opened("/keys", /^New key/);
        await opened("/knowledge", /^New base/);
        await opened("/knowledge/bases/handbook?tab=connectors", /^New connector/);
        await opened("/webhooks", /^New endpoint/);
        await opened(`/webhooks/${furnished.webhook}`, /^ping/);
        await opened("/", /^Environment/);
        await opened("/", "Go to…");
      },
      admin(),
    );
    expect(found).toEqual([]);
  });

  it("has nothing that axe finds where there is nothing to show yet, and says there how it begins", async () => {
    const found: string[] = [];
    const empty = { "/tasks": "No tasks yet", "/policies": "No policies yet", "/webhooks": "No endpoints yet" };
    await visit(
      "/",
      async (page) => {
        for (const [path, title] of Object.entries(empty)) {
          await page.goto(app.url + path);
          await page.getByRole("heading", { name: title }).waitFor();
          found.push(...(await violations(page)));
        }
      },
      { key: app.key("admin", "staging") },
    );
    expect(found).toEqual([]);
  });
});
