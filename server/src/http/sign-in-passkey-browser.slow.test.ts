import { type AddressInfo, createServer } from "node:net";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMailer } from "../identity/mail.ts";
import { type Mailbox, startMailbox } from "../identity/mailbox.fixture.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { launchChromium } from "./pages/chromium.fixture.ts";

// With Chromium's own authenticator, which keeps passkeys and verifies its person as a device does.

let app: TestApp;
let browser: Browser;
let context: BrowserContext;
let mailbox: Mailbox;
let origin: string;

beforeAll(async () => {
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
  origin = `http://localhost:${(free.address() as AddressInfo).port}`;
  await new Promise((resolve) => free.close(resolve));
  [mailbox, browser] = await Promise.all([startMailbox(), launchChromium()]);
  app = await startTestApp({ appUrl: origin, role: "all", sendMail: createMailer(mailbox.url, "agents@example.com") });
  await app.app.portal.load();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await mailbox?.close();
});

/** A page with a device that has no passkeys yet. */
async function device(): Promise<Page> {
  context = await browser.newContext({
    locale: "en-GB",
    viewport: { width: 1360, height: 900 },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const protocol = await context.newCDPSession(page);
  await protocol.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const;
  await protocol.send("WebAuthn.addVirtualAuthenticator", {
    options: { ...options, automaticPresenceSimulation: true },
  });
  return page;
}

describe("a person who is invited", () => {
  it("makes a passkey from the e-mail, signs in with it again, and looks after it on the page of their sessions", async () => {
    const email = "reviewer@example.com";
    await app.call("PUT", `/v1/admin/members/${email}`, {
      body: { role: "approver", name: "Rae Reviewer" },
      environment: "production",
    });
    const page = await device();
    await page.goto(`${origin}/invitation#token=${await mailbox.token(email)}`);
    await page.getByText("You are invited as Rae Reviewer").waitFor();
    expect(page.url()).toBe(`${origin}/invitation`);
    await page.getByLabel("Name of this passkey").fill("Laptop");
    await page.getByRole("button", { name: "Create passkey and sign in" }).click();
    await page.getByRole("navigation").first().waitFor();

    await page.goto(`${origin}/sessions`);
    await page.getByRole("cell", { name: "Laptop", exact: true }).waitFor();
    await page.getByText("this session").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();

    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("navigation").first().waitFor();
    expect((await page.request.get(`${origin}/auth/session`)).status()).toBe(200);
    expect(await (await page.request.get(`${origin}/auth/session`)).json()).toMatchObject({
      method: "passkey",
      name: "Rae Reviewer",
    });

    await page.goto(`${origin}/sessions`);
    await page.getByRole("button", { name: "Remove Laptop" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("This passkey was not accepted.").waitFor();
    await context.close();
  }, 300_000);

  it("is told in words where the link was used before", async () => {
    const page = await device();
    await page.goto(`${origin}/invitation#token=${"A".repeat(43)}`);
    await page
      .getByRole("alert")
      .filter({ hasText: "This invitation was already used or is older than 24 hours." })
      .waitFor();
    await context.close();
  }, 120_000);
});
