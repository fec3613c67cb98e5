import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { changeFacts } from "../../server/src/features/tasks/runs/testing.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { scriptedModel } from "../../server/src/testing/models.ts";
import { useWorkerProcess } from "../../server/src/testing/worker.ts";
import { useBrowser } from "./browser.fixture.ts";
import { useShop } from "./widget.fixture.ts";

// Two conversations that end with people: the customer in the widget, the team in the portal. `AOS_SCREENSHOTS` names a folder for pictures.

describe("a hand-over between widget and portal", () => {
  const app = useApp();
  const machines = useWorkerProcess(app);
  const shop = useShop(app);
  const visit = useBrowser(app);
  const folder = process.env.AOS_SCREENSHOTS;

  const picture = async (page: Page, name: string): Promise<void> => {
    if (folder === undefined) return;
    await mkdir(folder, { recursive: true });
    await page.screenshot({ path: `${folder}/${name}.png` });
  };

  const day = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"][(new Date().getUTCDay() + 3) % 7] as string;
  const handoff = {
    rules: [
      { when: "asked", team: "support" },
      { when: "topic", team: "billing", keywords: ["invoice"] },
    ],
  };

  beforeAll(async () => {
    const saved_replies = [{ name: "hello", title: "Hello", text: "Hello {{user}}, {{me}} of {{team}} here." }];
    const hours = { time_zone: "UTC", weekly: { [day]: [{ from: "09:00", to: "10:00" }] } };
    await app.call("PUT", "/v1/admin/teams/support", { body: { title: "Customer care", saved_replies } });
    await app.call("PUT", "/v1/admin/teams/billing", { body: { title: "Billing", hours } });
    await changeFacts(
      app,
      machines,
      "agents",
      `update agent_versions set definition = definition || jsonb_build_object('model', '{"provider":"openai","name":"sample-model"}'::jsonb, 'handoff', $1::jsonb)
     where agent = 'sales'`,
      [JSON.stringify(handoff)],
    );
    const worker = await machines.worker({ model: scriptedModel(() => ({ text: "It arrives on Tuesday." })) });
    return () => worker.stop(0);
  });

  const say = async (page: Page, text: string): Promise<void> => {
    await page.getByRole("textbox", { name: "Message" }).fill(text);
    await page.keyboard.press("Enter");
  };
  const dialog = (page: Page) => page.getByRole("dialog", { name: "Garden help" });
  /** What is said stands in the log, and once more where screen readers hear it. */
  const shown = (page: Page, text: string | RegExp) => dialog(page).getByText(text).first();
  const conversationOf = (user: string): Promise<string> =>
    vi.waitFor(
      async () => (await app.call("GET", `/v1/chat/conversations?user=${user}`)).body.data[0].conversation_id,
      20_000,
    );

  it("is taken over by a person whose name the customer sees, with notes that only the team sees, and handed back", async () => {
    const { secret } = await app.member("operator");
    await shop.visit(
      async (customer) => {
        await customer.getByRole("button", { name: "Open chat" }).click();
        await say(customer, "Where is my order?");
        await shown(customer, "It arrives on Tuesday.").waitFor();
        await say(customer, "I want to talk to a person, please");
        await shown(customer, "Customer care will answer here. Please wait a moment.").waitFor();
        await dialog(customer).locator(".handler", { hasText: "Customer care" }).waitFor();
        await picture(customer, "widget-waiting");
        const id = await conversationOf("anna");
        await visit(
          "/conversations",
          async (person) => {
            const queues = person.getByRole("list", { name: "Queues of teams" });
            await queues.getByText("1 conversation waiting").waitFor();
            await picture(person, "portal-queues");
            await person.goto(`${app.url}/conversations/${id}`);
            await person.getByText("The user asks for a person.").waitFor();
            await person.getByRole("textbox", { name: "New note" }).fill("Called yesterday, too.");
            await person.getByRole("button", { name: "Add note" }).click();
            await person.getByRole("list", { name: "Private notes" }).getByText("Called yesterday, too.").waitFor();
            await person.getByRole("button", { name: "Take over" }).click();
            await person.getByRole("button", { name: "Hello", exact: true }).click();
            await picture(person, "portal-take-over");
            await person.getByRole("textbox", { name: "Your answer" }).press("Enter");
            await shown(customer, /Hello anna, .+ of Customer care here\./).waitFor();
            await picture(customer, "widget-person");
            expect(await dialog(customer).getByText("Called yesterday, too.").count()).toBe(0);
            await person.getByRole("button", { name: "Hand back…" }).click();
            await person.getByRole("dialog").getByRole("button", { name: "Hand back" }).click();
            await dialog(customer).locator(".handler", { hasText: "AI agent" }).waitFor();
          },
          { key: secret },
        );
      },
      { user: "anna" },
    );
  });

  it("waits for a closed team, tells the customer when it opens, and fits a phone", async () => {
    const { secret } = await app.member("operator");
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    await shop.visit(
      async (customer) => {
        await customer.getByRole("button", { name: "Open chat" }).click();
        await say(customer, "My invoice is wrong");
        await shown(customer, /Billing is not available now and will answer here from .+ on\./).waitFor();
        await picture(customer, "widget-phone-closed");
        await say(customer, "Hello?");
        const id = await conversationOf("ben");
        await visit(
          `/conversations/${id}`,
          async (person) => {
            await picture(person, "portal-phone");
            await person.getByRole("tab", { name: "Details" }).tap();
            await person.getByRole("heading", { name: "Queue" }).waitFor();
            expect(await person.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
            await picture(person, "portal-phone-details");
            await person.getByRole("tab", { name: "Messages" }).tap();
            await person.getByRole("button", { name: "Take over" }).tap();
            await person.getByRole("textbox", { name: "Your answer" }).fill("I am here early.");
            await person.getByRole("button", { name: "Send" }).tap();
            await shown(customer, "I am here early.").waitFor();
            await picture(customer, "widget-phone-person");
          },
          { key: secret, ...phone },
        );
      },
      { user: "ben", ...phone },
    );
  });
});
