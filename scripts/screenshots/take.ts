import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../../server/src/http/pages/chromium.fixture.ts";
import type { Room } from "./rooms.ts";
import type { Service } from "./service.ts";

/** The windows in which every room is taken. */
export const looks = (["light", "dark"] as const).flatMap((colorScheme) => [
  { name: `wide-${colorScheme}`, colorScheme, viewport: { width: 1360, height: 900 }, hasTouch: false },
  { name: `narrow-${colorScheme}`, colorScheme, viewport: { width: 390, height: 844 }, hasTouch: true },
]);

/** Takes all rooms in all looks; answers how many bytes they have together. */
export async function takeAll(service: Service, rooms: readonly Room[], folder: string): Promise<number> {
  const browser = await launchChromium();
  try {
    let bytes = 0;
    for (const look of looks) bytes += await takeLook(browser, service, rooms, look, folder);
    return bytes;
  } finally {
    await browser.close();
  }
}

async function takeLook(
  browser: Browser,
  service: Service,
  rooms: readonly Room[],
  look: (typeof looks)[number],
  folder: string,
): Promise<number> {
  const { name, ...options } = look;
  let bytes = 0;
  for (const outside of [true, false]) {
    const context = await browser.newContext({
      ...options,
      locale: "en-GB",
      timezoneId: "UTC",
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on("pageerror", (error) => console.error(`${name}: ${error}`));
    if (!outside) await page.request.post(`${service.url}/auth/session`, { data: { key: service.key } });
    for (const room of rooms.filter((one) => (one.outside ?? false) === outside)) {
      await page.goto(service.url + room.path);
      await settled(page);
      const picture = await webp(page);
      await writeFile(path.join(folder, `${room.name}-${name}.webp`), picture);
      bytes += picture.length;
    }
    await context.close();
  }
  return bytes;
}

/** The page has its title, nothing is on its way, and the cursor does not blink. */
async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  const onItsWay = page.locator(".animate-pulse.rounded");
  while ((await onItsWay.count()) > 0) await onItsWay.first().waitFor({ state: "detached" });
  await page.evaluate("document.activeElement?.blur()");
}

/** What is seen, as WebP: a third of the bytes of a PNG. */
async function webp(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 72 });
  await session.detach();
  return Buffer.from(data, "base64");
}
