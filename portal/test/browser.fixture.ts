import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { launchChromium } from "../../server/src/http/pages/chromium.fixture.ts";
import type { TestApp } from "../../server/src/testing/app.ts";

export interface VisitOptions extends BrowserContextOptions {
  /** The secret of a key to sign in with; null: nobody is signed in. Default: an approver's. */
  readonly key?: string | null;
  /** What the browser may complain about, beside calls that were refused or cut off, which it writes down by itself. */
  readonly tolerates?: RegExp;
}

export type Visit = <T>(path: string, look: (page: Page) => Promise<T>, options?: VisitOptions) => Promise<T>;

/**
 * A real browser for the tests of a file. Each visit has a window that remembers nothing but the files of the portal; whatever the browser complains about fails the test,
 * and so does a call to another host.
 */
export function useBrowser(app: TestApp): Visit {
  let browser: Browser;
  const left = new Map<string, BrowserContext[]>();
  // A browser beside other tests on a small machine: each step may take long, and none is awaited without need.
  vi.setConfig({ testTimeout: 180_000 });
  beforeAll(async () => {
    [browser] = await Promise.all([launchChromium(), app.app.portal.load()]);
  }, 240_000);
  afterAll(() => browser?.close());
  return async (path, look, { key = app.key("approver"), tolerates, ...options } = {}) => {
    const settings = {
      viewport: { width: 1360, height: 900 },
      locale: "en-GB",
      timezoneId: "UTC",
      reducedMotion: "reduce",
      ...options,
    } as const;
    const like = JSON.stringify(settings);
    const context = left.get(like)?.pop() ?? (await browser.newContext(settings));
    const page = await context.newPage();
    try {
      await forget(context, page, app.url);
      page.setDefaultTimeout(60_000);
      const faults = watch(page, app.url, tolerates);
      if (key !== null) await signIn(page, app.url, key);
      await page.goto(app.url + path);
      const result = await look(page);
      expect(faults).toEqual([]);
      return result;
    } finally {
      for (const one of context.pages()) await one.close();
      left.set(like, [...(left.get(like) ?? []), context]);
    }
  };
}

/** Empties a window for the next visit. The files of the portal stay, which take longer to load than anything that is done with them. */
async function forget(context: BrowserContext, page: Page, origin: string): Promise<void> {
  await context.clearCookies();
  await context.setOffline(false);
  const session = await context.newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", {
    origin,
    storageTypes: "local_storage,indexeddb,cache_storage,service_workers",
  });
  await session.detach();
}

/** Signs the window in, as the page that signs in does. */
export async function signIn(page: Page, url: string, key: string): Promise<void> {
  const response = await page.request.post(`${url}/auth/session`, { data: { key } });
  expect(response.status(), await response.text()).toBe(200);
}

const described = Object.entries(
  (
    JSON.parse(readFileSync(new URL("../../openapi/openapi.json", import.meta.url), "utf8")) as {
      paths: Record<string, object>;
    }
  ).paths,
).flatMap(([path, item]) =>
  Object.keys(item).map((method) => ({
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+")}$`),
  })),
);

/** Whether the description of the interface has this call; the sign-in and the sign of readiness are beside it. */
const isDescribed = (method: string, path: string): boolean =>
  /^\/(auth\/(session|link|methods|passkey|passkey\/options|passkeys.*|invitation|invitation\/options)|readyz)$/.test(
    path,
  ) || described.some((one) => one.method === method && one.pattern.test(path));

function watch(page: Page, url: string, tolerates: RegExp | undefined): string[] {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() !== "error" || /status of 4|net::ERR_/.test(message.text()) || tolerates?.test(message.text()))
      return;
    faults.push(message.text());
  });
  page.on("request", (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin !== url) faults.push(`a request to ${request.url()}`);
    else if (
      ["fetch", "xhr", "eventsource"].includes(request.resourceType()) &&
      !isDescribed(request.method(), pathname)
    )
      faults.push(`${request.method()} ${pathname} is no operation`);
  });
  return faults;
}
