import { describe, expect, it } from "vitest";
import { ask } from "../../server/src/features/approvals/testing.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { linkToken } from "../../server/src/testing/sessions.ts";
import { useBrowser } from "./browser.fixture.ts";

describe("signing in to the portal", () => {
  const app = useApp();
  const visit = useBrowser(app);
  const nobody = { key: null };

  it("comes before everything else, and leads back to where one wanted to be", async () => {
    const task = await ask(app);
    await visit(
      `/approvals/${task}`,
      async (page) => {
        await page.getByLabel("Your key").fill(app.key("approver"));
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.waitForURL(`${app.url}/approvals/${task}`);
        await page.getByRole("heading", { name: /^Qualify lead ld_/, level: 1 }).waitFor();
        expect(await page.locator("header").innerText()).toContain("development");
      },
      nobody,
    );
  });

  it("leads to no other host, whatever the address says", async () => {
    for (const next of [
      "//elsewhere.test/",
      "/\\elsewhere.test/",
      "https://elsewhere.test/",
      "javascript:document.title=1",
    ]) {
      await visit(
        `/sign-in?next=${encodeURIComponent(next)}`,
        async (page) => {
          await page.getByLabel("Your key").fill(app.key("approver"));
          await page.getByRole("button", { name: "Sign in" }).click();
          await page.waitForURL(`${app.url}/`);
        },
        nobody,
      );
    }
  });

  it("keeps the key nowhere, and the session where no script reads it", async () => {
    const key = app.key("approver");
    await visit(
      "/sign-in",
      async (page) => {
        await page.getByLabel("Your key").fill(key);
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.getByRole("navigation", { name: "Main navigation" }).first().waitFor();
        const kept =
          "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state, document.documentElement.outerHTML])";
        const seen = String(await page.evaluate(kept));
        const cookie = (await page.context().cookies()).find(({ name }) => name.startsWith("aos_session"));
        expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax" });
        expect(seen).not.toContain(key);
        expect(seen).not.toContain(cookie?.value);
      },
      nobody,
    );
  });

  it("says in people's words why it did not work", async () => {
    await visit(
      "/sign-in",
      async (page) => {
        const key = page.getByLabel("Your key");
        for (const [typed, words] of [
          ["", "Enter your key."],
          ["schlüssel", "This is not a key"],
          [app.key("approver").slice(0, -1), "Invalid key."],
        ] as const) {
          await key.fill(typed);
          await page.getByRole("button", { name: "Sign in" }).click();
          await page.getByRole("alert").filter({ hasText: words }).waitFor();
          expect(await key.getAttribute("aria-invalid")).toBe("true");
        }
        await page.context().setOffline(true);
        await key.fill(app.key("approver"));
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.getByRole("alert").filter({ hasText: "The service did not answer." }).waitFor();
      },
      nobody,
    );
  });

  it("takes the token of a link out of the address at once, and says so where the link is spent", async () => {
    await visit(
      "/sign-in#token=spent",
      async (page) => {
        await page.getByRole("alert").filter({ hasText: "This link was already used or has expired." }).waitFor();
        expect(page.url()).toBe(`${app.url}/sign-in`);
      },
      nobody,
    );
  });

  it("takes a link that is pasted into the tab while it is open, also after one that is spent", async () => {
    const token = await linkToken(app);
    await visit(
      "/sign-in#token=spent",
      async (page) => {
        await page.getByRole("alert").filter({ hasText: "This link was already used" }).waitFor();
        // Only what stands behind the `#` differs, so that the browser loads nothing again.
        await page.evaluate(`location.assign("/sign-in#token=${token}")`);
        await page.getByRole("navigation", { name: "Main navigation" }).first().waitFor();
        expect(page.url()).toBe(`${app.url}/`);
      },
      nobody,
    );
  });

  it("asks again where the session has ended meanwhile, and goes on where one was", async () => {
    const task = await ask(app);
    await visit(`/approvals/${task}`, async (page) => {
      await page.getByRole("button", { name: /^Approve/ }).waitFor();
      await page.context().clearCookies();
      await page.getByRole("button", { name: /^Approve/ }).click();
      await page.getByText("Your session has ended.").waitFor();
      await page.getByLabel("Your key").fill(app.key("approver"));
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL(`${app.url}/approvals/${task}`);
      await page.getByRole("button", { name: /^Approve/ }).waitFor();
    });
  });

  it("ends with signing out, for the service too", async () => {
    await visit("/", async (page) => {
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      expect((await page.request.get(`${app.url}/auth/session`)).status()).toBe(401);
      await page.goto(`${app.url}/approvals`);
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
    });
  });
});
