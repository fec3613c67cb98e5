import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { newId, writing } from "../../server/src/features/chat/chat.fixture.ts";
import { appendEvents } from "../../server/src/features/chat/conversations/event-store.ts";
import { addMessage, changeMessage, messageView } from "../../server/src/features/chat/conversations/message-store.ts";
import type { Part } from "../../server/src/features/chat/schemas.ts";
import { answering } from "../../server/src/features/chat/turns/turns.fixture.ts";
import { type TestApp, useApp } from "../../server/src/testing/app.ts";
import { useWorkerProcess } from "../../server/src/testing/worker.ts";
import { freePort, useShop } from "./widget.fixture.ts";

const dialog = (page: Page) => page.getByRole("dialog", { name: "Garden help" });
const log = (page: Page) => page.getByRole("log", { name: "Conversation" });
const press = async (page: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
const focused = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => {
    const inside = document.activeElement?.shadowRoot?.activeElement;
    return inside
      ? inside.getAttribute("aria-label") || inside.id || inside.textContent
      : document.activeElement?.textContent;
  });
const open = (page: Page) => page.getByRole("button", { name: "Open chat" }).click();
const say = async (page: Page, text: string): Promise<void> => {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await press(page, "Enter");
};

/** The latest conversation of a user of the shop. */
const conversationOf = (app: TestApp, user: string): Promise<string> =>
  vi.waitFor(async () => {
    const { body } = await app.call("GET", `/v1/chat/conversations?user=${user}`);
    return body.data[0].conversation_id;
  }, 20_000);

/** A reply as an agent writes it, one event after the other. */
async function reply(app: TestApp, conversation: string) {
  const ctx = writing(app);
  const tell = (event: Parameters<typeof appendEvents>[2][number]) => appendEvents(ctx, conversation, [event]);
  const row = await addMessage(ctx, conversation, {
    id: newId("msg"),
    role: "agent",
    author: "sales",
    author_name: "sales",
    status: "streaming",
    parts: [],
    writers: [],
  });
  let text = "";
  await tell({ type: "chat.message.created", data: { message: messageView(row) } });
  await tell({ type: "chat.part.started", data: { message_id: row.id, index: 0, part: { type: "text", text } } });
  return {
    write: async (piece: string) => {
      text += piece;
      await changeMessage(ctx, row.id, { parts: [{ type: "text", text }] });
      await tell({ type: "chat.part.delta", data: { message_id: row.id, index: 0, text: piece } });
    },
    end: async (...more: readonly Part[]) => {
      const done = await changeMessage(ctx, row.id, { status: "complete", parts: [{ type: "text", text }, ...more] });
      await tell({ type: "chat.message.completed", data: { message: messageView(done) } });
    },
  };
}

async function violationsOn(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`);
}

describe("the chat widget on a page of another origin", () => {
  const app = useApp();
  const machines = useWorkerProcess(app);
  const shop = useShop(app);
  /** Until the test ends, the agent answers everything with one sentence. */
  const answerWith = async (text: string): Promise<void> => {
    const worker = await machines.worker({ model: answering(text) });
    onTestFinished(() => worker.stop(0));
  };
  /** Counts the disclosure, too. */
  const messagesOf = async (user: string): Promise<number> =>
    (await app.call("GET", `/v1/chat/conversations/${await conversationOf(app, user)}`)).body.messages;

  it("is one script of less than 40 kB before it is compressed", async () => {
    const { status, text, headers } = await app.call("GET", "/chat/widget.js", { key: null });
    expect([status, headers.get("etag")]).toEqual([200, expect.any(String)]);
    expect(text.length).toBeGreaterThan(10_000);
    expect(text.length).toBeLessThan(40_000);
  });

  it("is used by keyboard alone, and remembers the conversation", async () => {
    await answerWith("It arrives on **Tuesday**.");
    await shop.visit(
      async (page) => {
        await page.getByRole("button", { name: "Open chat" }).waitFor();
        await press(page, "Tab", "Tab");
        expect(await focused(page)).toBe("Open chat");
        await press(page, "Enter");
        expect(await focused(page)).toBe("text");
        await dialog(page).getByText("You are chatting with an AI agent.").waitFor();
        await page.keyboard.type("Where is");
        await press(page, "Shift+Enter");
        await page.keyboard.type("my order?");
        await press(page, "Enter");
        await log(page).getByRole("article", { name: "You" }).getByText("Where is\nmy order?").waitFor();
        await log(page).getByRole("article", { name: "AI agent" }).locator("strong", { hasText: "Tuesday" }).waitFor();
        await page.getByRole("status").getByText("AI agent: It arrives on **Tuesday**.").waitFor();
        const around: (string | null | undefined)[] = [];
        for (let i = 0; i < 10; i++) {
          around.push(await focused(page));
          await press(page, "Tab");
        }
        expect(new Set(around)).toEqual(
          new Set([
            "text",
            "Send",
            "Talk to a person",
            "Close chat",
            "Conversation",
            "Good answer",
            "Bad answer",
            "Attach a file",
          ]),
        );
        await press(page, "Escape");
        expect(await focused(page)).toBe("Open chat");
        await page.reload();
        await open(page);
        await log(page).getByText("Tuesday").waitFor();
        expect(await log(page).getByRole("article").count()).toBe(2);
      },
      { user: "keyboard" },
    );
  });

  it("can be read by everybody: names, roles and contrast, light and dark, on a phone and in another language", async () => {
    for (const [colorScheme, width, language] of [
      ["light", 1280, "en"],
      ["dark", 390, "de"],
    ] as const) {
      const user = `reader-${language}`;
      await shop.visit(
        async (page) => {
          expect(await violationsOn(page)).toEqual([]);
          await page.getByRole("button", { name: /^(Open chat|Chat öffnen)$/ }).click();
          await page.getByRole("textbox").fill("Can I return it?");
          await press(page, "Enter");
          await page.getByRole("article").first().waitFor();
          const told = await reply(app, await conversationOf(app, user));
          await told.write(
            "Yes:\n\n1. Pack it.\n2. Send it to [us](https://shop.example/returns), `free`.\n\n![spy](https://evil.example/x.png)",
          );
          await told.end(
            {
              type: "tool_call",
              call_id: "1",
              tool: "issue_refund",
              arguments: {},
              state: "waiting",
              result: null,
              failure: null,
            },
            { type: "approval", approval_id: "apr_1", state: "pending", summary: "Refund of 20 EUR", approve_url: "" },
            {
              type: "citation",
              title: "Returns",
              quote: "Within 30 days.",
              base: null,
              document_id: null,
              chunk_id: null,
              url: "https://shop.example/help/returns",
            },
          );
          await page
            .getByText(/^(A person has to approve the next step|Den nächsten Schritt muss ein Mensch freigeben)\.$/)
            .first()
            .waitFor();
          expect(await page.locator("img").count()).toBe(0);
          const link = page.getByRole("link", { name: "us", exact: true });
          expect(await link.getAttribute("rel")).toContain("noopener");
          const source = page.getByRole("link", { name: "Returns", exact: true });
          expect(await source.getAttribute("href")).toBe("https://shop.example/help/returns");
          expect(await page.getByText(/issue_refund|Refund of 20 EUR/).count()).toBe(0);
          expect(await violationsOn(page)).toEqual([]);
          if (width === 390) expect((await page.getByRole("dialog").boundingBox())?.width).toBe(390);
        },
        { user, colorScheme, language, locale: language, viewport: { width, height: 800 } },
      );
    }
  });

  it("goes on after its connection broke, without a word lost or doubled", async () => {
    await shop.visit(
      async (page) => {
        await open(page);
        await say(page, "Tell me everything.");
        await log(page).getByText("Tell me everything.").waitFor();
        await expect.poll(() => messagesOf("unlucky"), { timeout: 20_000 }).toBe(2);
        const told = await reply(app, await conversationOf(app, "unlucky"));
        await told.write("one ");
        await log(page).getByText("one").waitFor();
        for (const [gone, here] of [
          ["two ", "three "],
          ["four ", "five "],
        ] as const) {
          shop.breakConnections();
          await dialog(page).getByText("The connection was lost. Reconnecting …").first().waitFor();
          await told.write(gone);
          shop.letThrough();
          await told.write(here);
          await log(page).getByText(here.trim()).waitFor();
        }
        await told.end();
        const written = log(page).getByRole("article").nth(1).locator(".bubble");
        expect(await written.textContent()).toBe("one two three four five ");
        shop.breakConnections();
        await say(page, "Still there?");
        await dialog(page).getByText("Not sent: the service cannot be reached").first().waitFor();
        shop.letThrough();
        await page.getByRole("button", { name: "Send again" }).click();
        await log(page).getByText("Waits for its turn.").or(log(page).getByText("Still there?")).first().waitFor();
        await expect.poll(() => messagesOf("unlucky"), { timeout: 20_000 }).toBe(4);
      },
      { user: "unlucky" },
    );
  });

  it("does nothing on a page for which the token was not issued", async () => {
    await shop.visit(
      async (page) => {
        await open(page);
        await say(page, "Hello?");
        await dialog(page).getByText("Not sent: the service cannot be reached").first().waitFor();
      },
      { user: "phished", origins: ["https://shop.example"] },
    );
    expect((await app.call("GET", "/v1/chat/conversations?user=phished")).body.data).toEqual([]);
  });

  it("brings a person in and goes back to the agent", async () => {
    const { secret: key } = await app.member("operator");
    await answerWith("The agent again.");
    await shop.visit(
      async (page) => {
        await open(page);
        await page.getByRole("button", { name: "Talk to a person" }).click();
        await dialog(page).getByText("A person was asked to join. You can go on writing meanwhile.").first().waitFor();
        const path = `/v1/chat/conversations/${await conversationOf(app, "worried")}`;
        const asPerson = { text: "Anna here, what is it?", as: "person" };
        expect((await app.call("POST", `${path}/messages`, { key, body: asPerson })).status).toBe(202);
        await log(page).getByText("Anna here, what is it?").waitFor();
        await page
          .getByRole("status")
          .getByText(/ answers from now on\.$/)
          .waitFor();
        await say(page, "My parcel is broken.");
        await log(page).getByText("My parcel is broken.").waitFor();
        expect((await app.call("POST", `${path}/return`, { key, body: {} })).status).toBe(200);
        await page
          .getByRole("status")
          .getByText(/answers again|from now on\.$/)
          .last()
          .waitFor();
        await say(page, "And now?");
        await log(page).getByText("The agent again.").waitFor();
      },
      { user: "worried" },
    );
  });

  it("stops the agent, attaches a file, and says what a reply was worth", async () => {
    await shop.visit(
      async (page) => {
        await open(page);
        await say(page, "Think for long.");
        await page.getByRole("button", { name: "Stop" }).click();
        const path = `/v1/chat/conversations/${await conversationOf(app, "busy")}`;
        await expect.poll(async () => (await app.call("GET", path)).body.busy).toBe(false);
        await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
        await answerWith("Thank you for the receipt.");
        const file = { name: "receipt.txt", mimeType: "text/plain", buffer: Buffer.from("Receipt 4711") };
        await page.locator('input[type="file"]').setInputFiles(file);
        await page.getByRole("button", { name: "Remove receipt.txt" }).waitFor();
        await say(page, "Here it is.");
        await log(page).getByText("Thank you for the receipt.").waitFor();
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("button", { name: "Download receipt.txt" }).click(),
        ]);
        expect(await readFile(await download.path(), "utf8")).toBe("Receipt 4711");
        await page.getByRole("button", { name: "Good answer" }).last().click();
        await page.getByRole("status").getByText("Thank you for the feedback.").waitFor();
      },
      { user: "busy" },
    );
  });

  it("is on the page of the guide's shop, typed as it stands", async () => {
    const guide = await readFile(new URL("../../docs/guide/chat-widget.md", import.meta.url), "utf8");
    const [, program = ""] = /^```ts\n([\s\S]*?)^```$/m.exec(guide) ?? [];
    const port = await freePort();
    const folder = await mkdtemp(path.join(tmpdir(), "aos-shop-"));
    const file = path.join(folder, "shop.ts");
    await writeFile(file, program.replaceAll("8080", String(port)));
    const env = { ...process.env, AOS_URL: app.url, AOS_KEY: app.key("admin") };
    const running = spawn(process.execPath, [file], { env, stdio: "ignore" });
    onTestFinished(async () => {
      running.kill();
      await rm(folder, { recursive: true });
    });
    const address = `http://127.0.0.1:${port}`;
    await expect
      .poll(
        () =>
          fetch(address).then(
            ({ ok }) => ok,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);
    await answerWith("Welcome to the shop.");
    await shop.look(address, async (page) => {
      await open(page);
      await say(page, "Hello");
      await log(page).getByText("Welcome to the shop.").waitFor();
    });
  });
});
