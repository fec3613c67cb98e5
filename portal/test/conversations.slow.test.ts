import { readFile } from "node:fs/promises";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { ask, stateOf } from "../../server/src/features/approvals/testing.ts";
import { insertConversation, insertMessage } from "../../server/src/features/chat/chat.fixture.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

describe("conversations", () => {
  const app = useApp({ role: "all" });
  const visit = useBrowser(app);
  const admin = () => ({ key: app.key("admin") });
  const violations = async (page: Page) =>
    (await new AxeBuilder({ page }).setLegacyMode(true).analyze()).violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${id}: ${target.join(" ")}`),
    );
  const messages = (page: Page) => page.getByRole("region", { name: "Messages" });
  const write = (page: Page) => page.getByRole("textbox", { name: "Message" });

  it("begin on an agent's page, where its reply appears by itself, and go on after the page is loaded again", async () => {
    await visit(
      "/agents/sales?tab=chat",
      async (page) => {
        await write(page).fill("What do you know of lead ld_1001?");
        await page.getByRole("button", { name: "Send" }).click();
        await messages(page).getByText("What do you know of lead ld_1001?").waitFor();
        const trust = messages(page).getByText(/^trust \d+ %$/);
        await trust.waitFor();
        await page.reload();
        await trust.waitFor();
        await write(page).fill("And of ld_1002?");
        await page.keyboard.press("Enter");
        await expect.poll(() => trust.count(), { timeout: 30_000 }).toBe(2);
        expect(await violations(page)).toEqual([]);
      },
      admin(),
    );
  });

  it("wait at the top for a person, who takes over, answers under their own name, and hands back, each seen at once by others", async () => {
    const started = await app.call("POST", "/v1/chat/conversations", {
      body: { agent: "sales", user: "customer-4711", title: "A wrong invoice" },
    });
    const path = `/v1/chat/conversations/${started.body.conversation_id}`;
    await visit(
      "/conversations",
      async (page) => {
        await page.getByRole("list", { name: "Conversations" }).getByText("A wrong invoice").waitFor();
        await app.call("POST", `${path}/handoff`, { body: { to: "person", reason: "The invoice is too high." } });
        const waiting = page.getByRole("list", { name: "Waiting for a person" });
        await waiting.getByText("The invoice is too high.").waitFor();
        expect(await violations(page)).toEqual([]);
        await waiting.getByRole("link", { name: /A wrong invoice/ }).click();
        await page.getByText("What happened so far").waitFor();
        await visit(
          `/conversations/${started.body.conversation_id}`,
          async (other) => {
            await page.getByRole("button", { name: "Take over" }).click();
            await page.getByRole("textbox", { name: "Your answer" }).fill("Hello, I look into it.");
            await page.keyboard.press("Enter");
            const answer = messages(other).locator("li", { hasText: "Hello, I look into it." });
            await answer.getByText("Person", { exact: true }).waitFor();
            await page.getByRole("button", { name: "Hand back…" }).click();
            await page.getByRole("dialog").getByRole("button", { name: "Hand back" }).click();
            await other.getByText("With the agent").waitFor();
          },
          admin(),
        );
        expect(await violations(page)).toEqual([]);
        await page.getByRole("button", { name: "Export…" }).click();
        const download = page.waitForEvent("download");
        await page.getByRole("dialog").getByRole("button", { name: "Export" }).click();
        expect(await readFile(await (await download).path(), "utf8")).toContain("Hello, I look into it.");
        await page.goto(`${app.url}/conversations/search?q=hello`);
        const found = page.getByRole("list", { name: "Messages found" }).getByRole("link", { name: /A wrong invoice/ });
        expect(await found.locator("mark").innerText()).toBe("Hello");
        expect(await violations(page)).toEqual([]);
      },
      admin(),
    );
    expect((await app.call("GET", path)).body.handler.kind).toBe("agent");
  });

  it("show what agents write without its pictures and markup, and have people decide right there", async () => {
    const task = await ask(app);
    const conversation = await insertConversation(app, { title: "A refund" });
    await insertMessage(app, conversation, "", {
      role: "agent",
      author: "sales",
      author_name: "sales",
      parts: [
        { type: "text", text: "**Done.** ![seen](https://evil.example/a.png) <img src=https://evil.example/b.png>" },
        {
          type: "approval",
          approval_id: task,
          state: "pending",
          summary: "Refund 49.90 EUR",
          approve_url: `${app.url}/approvals/${task}`,
        },
      ],
    });
    await visit(`/conversations/${conversation}`, async (page) => {
      await messages(page).locator("strong", { hasText: "Done." }).waitFor();
      expect(await messages(page).locator("img").count()).toBe(0);
      await page.getByRole("button", { name: "Review and decide" }).click();
      expect(await violations(page)).toEqual([]);
      await page.getByRole("button", { name: /^Approve/ }).click();
      await page
        .getByRole("status")
        .filter({ hasText: /^Approved / })
        .waitFor();
    });
    expect(await stateOf(app, task)).toMatchObject({ votes: 1 });
  });

  it("fit a phone, with nothing to scroll sideways", async () => {
    const conversation = await insertConversation(app, { title: `Order ${"4711".repeat(60)}` });
    await insertMessage(app, conversation, `Where is it? ${"x".repeat(400)}`);
    await visit(
      `/conversations/${conversation}`,
      async (page) => {
        const fits = () => page.evaluate("document.documentElement.scrollWidth <= innerWidth");
        await messages(page).getByText("Where is it?").waitFor();
        expect(await fits()).toBe(true);
        expect(await violations(page)).toEqual([]);
        await page.getByRole("tab", { name: "Details" }).tap();
        await page.getByRole("heading", { name: "Participants" }).waitFor();
        expect(await fits()).toBe(true);
        expect(await violations(page)).toEqual([]);
        await page.goto(`${app.url}/conversations/channels`);
        await page.getByRole("heading", { name: "No channels yet" }).waitFor();
        await page.getByRole("button", { name: /^Connect a channel/ }).tap();
        await page.getByLabel("Kind").selectOption("email");
        expect(await fits()).toBe(true);
        expect(await violations(page)).toEqual([]);
      },
      { ...admin(), viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    );
  });
});
