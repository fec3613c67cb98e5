import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

// Teams as admins make them in the browser. `AOS_SCREENSHOTS` names a folder for pictures.

describe("the page of teams", () => {
  const app = useApp();
  const visit = useBrowser(app);
  const folder = process.env.AOS_SCREENSHOTS;
  const admin = () => ({ key: app.key("admin"), viewport: { width: 1280, height: 900 } });
  let [ada, bob] = [{ memberId: "" }, { memberId: "" }];

  const picture = async (page: Page, name: string): Promise<void> => {
    if (folder === undefined) return;
    await mkdir(folder, { recursive: true });
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  const read = async (team: string) => (await app.call("GET", `/v1/admin/teams/${team}`)).body;
  beforeAll(async () => {
    [ada, bob] = [await app.member("operator"), await app.member("builder")];
    const saved_replies = [{ name: "hello", title: "Hello", text: "Hello {{user}}" }];
    const hours = { time_zone: "UTC", weekly: { mon: [{ from: "09:00", to: "24:00" }] }, holidays: ["2026-12-25"] };
    const body = { title: "Support", saved_replies, hours, targets: { waiting_seconds: 90 }, members: [ada.memberId] };
    await app.call("PUT", "/v1/admin/teams/support", { body });
  });

  it("creates a team with members by name, hours and texts, and says at its day what is wrong", async () => {
    await visit(
      "/conversations",
      async (page) => {
        await page.getByRole("link", { name: "Teams" }).click();
        await picture(page, "teams-wide");
        await page.getByRole("button", { name: "New team" }).click();
        const form = page.getByRole("dialog");
        await form.getByLabel("Title").fill("Billing");
        await form.getByLabel("Name").fill("billing");
        await form.getByLabel("Add a member").selectOption(bob.memberId);
        await form.getByRole("list", { name: "Members of the team" }).getByText("Test builder").waitFor();
        await form.getByLabel("At these times").check();
        await form.getByLabel("Time zone").fill("Europe/Wien");
        await form.getByLabel("Tuesday").fill("17:00-9:00");
        await form.getByLabel("Saturday").fill("all day");
        await form.getByRole("button", { name: "Add a text of your own" }).click();
        await form.getByLabel("Text", { exact: true }).fill("Back on {{opens}}.");
        await form.getByRole("button", { name: "Create" }).click();
        await form.getByText("write times such as 09:00-12:00").waitFor();
        await form.getByLabel("Saturday").fill("10:00-12:30");
        await form.getByRole("button", { name: "Create" }).click();
        await form.getByText("must be an IANA time zone").waitFor();
        await form.getByText("must end after it begins").waitFor();
        await picture(page, "teams-faults");
        await form.getByLabel("Time zone").fill("Europe/Vienna");
        await form.getByLabel("Tuesday").fill("9:00-17:00");
        await form.getByRole("button", { name: "Create" }).click();
        await page.getByRole("heading", { name: "Billing" }).waitFor();
      },
      admin(),
    );
    expect(await read("billing")).toMatchObject({
      members: [{ member_id: bob.memberId }],
      hours: { time_zone: "Europe/Vienna", weekly: { sat: [{ from: "10:00", to: "12:30" }] } },
      outside: { en: "Back on {{opens}}." },
    });
  });

  it("keeps what it does not change, overwrites nobody's change, and takes no name twice", async () => {
    const before = await read("support");
    await visit(
      "/conversations/teams",
      async (page) => {
        await page.getByRole("heading", { name: "Support" }).waitFor();
        const card = page.getByRole("region", { name: "Support" });
        await card.getByRole("button", { name: "Change…" }).click();
        const form = page.getByRole("dialog");
        await form.getByLabel("Title").first().fill("Customer care");
        await form.getByRole("button", { name: "Save", exact: true }).click();
        await page.getByRole("heading", { name: "Customer care" }).waitFor();
        const { title: _, revision, updated_at: __, ...rest } = await read("support");
        expect([rest, revision]).toEqual([
          expect.objectContaining({ targets: before.targets, hours: before.hours }),
          2,
        ]);
        expect(rest.saved_replies).toEqual(before.saved_replies);
        await page.getByRole("region", { name: "Customer care" }).getByRole("button", { name: "Change…" }).click();
        await form.getByLabel("Title").first().fill("Mine");
        await app.call("PUT", "/v1/admin/teams/support", { body: { title: "Theirs" } });
        await form.getByRole("button", { name: "Save", exact: true }).click();
        await form.getByText("Somebody changed this team while you did.").waitFor();
        await form.getByRole("button", { name: "Leave it" }).click();
        await page.getByRole("button", { name: "New team" }).click();
        await form.getByLabel("Title").fill("Other");
        await form.getByLabel("Name").fill("support");
        await form.getByRole("button", { name: "Create" }).click();
        await form.getByText("There is a team of this name already.").waitFor();
      },
      admin(),
    );
    expect((await read("support")).title).toBe("Theirs");
  });

  it("fits a phone in the dark, and is offered to nobody who may not see teams", async () => {
    const phone = {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      colorScheme: "dark" as const,
    };
    await visit(
      "/conversations/teams",
      async (page) => {
        await picture(page, "teams-phone");
        await page.getByRole("region", { name: "Billing" }).getByRole("button", { name: "Change…" }).tap();
        await page.getByRole("dialog").getByLabel("Monday").waitFor();
        await picture(page, "teams-phone-form");
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      },
      { key: app.key("admin"), ...phone },
    );
    await visit(
      "/conversations",
      async (page) => {
        await page.getByRole("link", { name: "Channels" }).waitFor();
        expect(await page.getByRole("link", { name: "Teams" }).count()).toBe(0);
      },
      { key: app.key("viewer") },
    );
  });
});
