import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { ask, stateOf } from "../../server/src/features/approvals/testing.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

describe("the portal by keyboard alone", () => {
  const app = useApp();
  const visit = useBrowser(app);
  const press = async (page: Page, ...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const opened = (page: Page): string | null => new URL(page.url()).searchParams.get("open");

  it("signs in, goes to the inbox, and decides there", async () => {
    const [older, newer] = [await ask(app), await ask(app)];
    await visit(
      "/",
      async (page) => {
        await page.locator("input:focus").waitFor();
        await page.keyboard.type(app.key("approver"));
        await press(page, "Enter");
        await page.getByRole("heading", { name: /decisions? needs? you|decisions need you/, level: 1 }).waitFor();
        await press(page, "g", "a");
        await page.getByRole("heading", { name: "Approvals", level: 1 }).waitFor();
        await page.waitForURL(new RegExp(`open=${newer}`));
        await press(page, "j");
        await page.waitForURL(new RegExp(`open=${older}`));
        await press(page, "k");
        await page.waitForURL(new RegExp(`open=${newer}`));
        await page.getByRole("button", { name: /^Approve/ }).waitFor();
        await press(page, "a");
        await page
          .getByRole("status")
          .filter({ hasText: /^Approved by / })
          .waitFor();
        await press(page, "j");
        await page.waitForURL(new RegExp(`open=${older}`));
        await page.getByRole("button", { name: /^Reject/ }).waitFor();
        await press(page, "r");
        await page.getByRole("dialog").locator("textarea:focus").waitFor();
        await page.keyboard.type("Not this one: all letters, j and k and a too.");
        await press(page, "Control+Enter");
        await page
          .getByRole("status")
          .filter({ hasText: /^Rejected by / })
          .waitFor();
        expect(opened(page)).toBe(older);
      },
      { key: null },
    );
    expect(await stateOf(app, newer)).toMatchObject({ approval: "approved" });
    expect(await stateOf(app, older)).toMatchObject({ approval: "rejected" });
  });

  it("opens the page of an approval, and gives the focus back from its dialogs", async () => {
    const task = await ask(app);
    await visit("/approvals", async (page) => {
      await page.waitForURL(/open=tsk_/);
      await press(page, "Enter");
      await page.waitForURL(`${app.url}/approvals/${task}`);
      await page.locator("#page-title:focus").waitFor();
      const reject = page.getByRole("button", { name: /^Reject/ });
      await reject.focus();
      await press(page, "Enter");
      await page.getByRole("dialog").locator("textarea:focus").waitFor();
      await press(page, "Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      await page.locator("button:focus").filter({ hasText: "Reject" }).waitFor();
      expect(await stateOf(app, task)).toMatchObject({ approval: "pending", votes: 0 });
    });
  });

  it("lists in the help what the keys do here, and turns single keys off for who wants none", async () => {
    const task = await ask(app);
    await visit(`/approvals/${task}`, async (page) => {
      await page.getByRole("button", { name: /^Approve/ }).waitFor();
      await press(page, "?");
      const help = page.getByRole("dialog", { name: "Help and shortcuts" });
      await help.getByText("Reject, with a reason").waitFor();
      await help.getByLabel("Enable single-key shortcuts").uncheck();
      await press(page, "Escape");
      await press(page, "r", "a");
      expect(await page.getByRole("dialog").count()).toBe(0);
    });
    expect(await stateOf(app, task)).toMatchObject({ approval: "pending", votes: 0 });
  });

  it("goes anywhere by the palette", async () => {
    const task = await ask(app);
    await visit("/", async (page) => {
      await page.getByRole("heading", { level: 1 }).waitFor();
      await press(page, "Control+k");
      await page.getByRole("dialog", { name: "Go to" }).locator("input:focus").waitFor();
      await page.keyboard.type("webhooks");
      await press(page, "Enter");
      await page.waitForURL(`${app.url}/webhooks`);
      await press(page, "Control+k");
      await page.getByRole("dialog", { name: "Go to" }).locator("input:focus").waitFor();
      await page.keyboard.insertText(task);
      await page.getByRole("option", { name: `Open ${task}` }).waitFor();
      await press(page, "Enter");
      await page.waitForURL(`${app.url}/tasks/${task}`);
    });
  });

  it("skips to the content", async () => {
    await visit("/approvals", async (page) => {
      await page.getByRole("heading", { name: "Approvals", level: 1 }).waitFor();
      await press(page, "Tab", "Enter");
      await page.locator("#page-title:focus").waitFor();
    });
  });
});
