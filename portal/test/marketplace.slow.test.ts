import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import {
  approvedListing,
  type MadeListing,
  newStranger,
} from "../../server/src/features/marketplace/listings/listings.fixture.ts";
import {
  signedFile,
  small,
  smallFiles,
  withFile,
  withPermissions,
} from "../../server/src/features/marketplace/marketplace.fixture.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

describe("the marketplace", () => {
  const app = useApp();
  const visit = useBrowser(app);
  const admin = () => ({ key: app.key("admin") });
  let listing: MadeListing;
  beforeAll(async () => {
    listing = await approvedListing(app, smallFiles("agent", { title: "Note sorting", summary: "Sorts short notes." }));
  });

  const dialogOf = (page: Page) => page.getByRole("dialog", { name: /^Install / });
  const install = (page: Page) => dialogOf(page).getByRole("button", { name: "Install", exact: true });

  async function violations(page: Page): Promise<string[]> {
    const { violations: those } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
    return those.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
  }

  it("is browsed, and something of it installed, by keyboard alone", async () => {
    await visit(
      "/",
      async (page) => {
        await page.getByRole("heading", { level: 1 }).waitFor();
        for (const key of ["g", "b"]) await page.keyboard.press(key);
        await page.getByRole("heading", { name: "Marketplace", level: 1 }).waitFor();
        await page.keyboard.press("/");
        await page.keyboard.type("note sorting");
        await page.keyboard.press("Enter");
        await page.waitForURL(/q=note/);
        const card = page.getByRole("link", { name: "Note sorting" });
        await card.focus();
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: "Note sorting", level: 1 }).waitFor();
        await page.keyboard.press("i");
        await dialogOf(page).getByText("The first install from this publisher").waitFor();
        await dialogOf(page)
          .getByText(listing.publisher.publisher.keys[0]?.key_id as string)
          .waitFor();
        await dialogOf(page).getByRole("list", { name: "Parts" }).getByText(small.agent).first().waitFor();
        await install(page).focus();
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/marketplace\/installs\/ins_/);
      },
      admin(),
    );
    expect((await app.call("GET", `/v1/agents/${small.agent}`)).status).toBe(200);
  });

  it("shows what changed where an install is refused, and installs under other names", async () => {
    const other = await approvedListing(app, smallFiles("workflow", { title: "Note round" }));
    await visit(
      `/marketplace/listings/${other.listing_id}?install=yes`,
      async (page) => {
        await dialogOf(page).getByText("What it will make here").waitFor();
        const body = { workflow: small.workflow, steps: [{ id: "done", set: { done: "true" } }] };
        const taken = await app.call("POST", "/v1/workflows", { body });
        expect(taken.status, taken.text).toBe(201);
        await install(page).click();
        await dialogOf(page).getByText("Nothing was installed.").waitFor();
        await dialogOf(page).getByText(`Names are taken here: ${small.workflow}`).waitFor();
        expect(await install(page).isDisabled()).toBe(true);
        await dialogOf(page).getByRole("button", { name: "Preview with it" }).click();
        await dialogOf(page).getByRole("list", { name: "Parts" }).getByText(`${small.workflow}-2`).waitFor();
        await install(page).click();
        await page.waitForURL(/\/marketplace\/installs\/ins_/);
      },
      admin(),
    );
  });

  it("takes in the file of another installation, which then waits for review", async () => {
    const file = signedFile(
      withPermissions(smallFiles("scorer", { title: "Right topic", name: "right-topic" })),
      newStranger(),
    );
    await visit(
      "/marketplace/publish?from=file",
      async (page) => {
        const input = page.getByLabel("Bundle file", { exact: true }).locator("input[type=file]");
        await input.setInputFiles({ name: "a.aosbundle", mimeType: "text/plain", buffer: Buffer.from("no bundle") });
        await page.getByText("a.aosbundle is no bundle").waitFor();
        await input.setInputFiles({ name: "b.aosbundle", mimeType: "text/plain", buffer: Buffer.from(file) });
        await page.getByText("right-topic@1.0.0").waitFor();
        await page.getByRole("button", { name: "Verify and submit" }).click();
        await page.getByRole("heading", { name: "Right topic", level: 1 }).waitFor();
        await page.getByText("Version 1.0.0 waits for review").waitFor();
        expect(await page.getByRole("button", { name: /^Install/ }).count()).toBe(0);
      },
      admin(),
    );
  });

  it("offers a viewer nothing that a viewer may not do, and shows pictures of others nowhere", async () => {
    const readme = "# Notes\n\n![seen](https://example.com/seen.png) [a page](https://example.com/page)";
    const files = withFile(smallFiles("scorer"), "readme.md", readme);
    const { listing_id } = await approvedListing(app, files);
    await visit(
      `/marketplace/listings/${listing_id}`,
      async (page) => {
        await page.getByRole("heading", { name: "Read me" }).waitFor();
        await page.getByText("[picture: seen]").waitFor();
        expect(await page.getByRole("link", { name: "a page" }).getAttribute("rel")).toContain("noopener");
        expect(await page.getByRole("button", { name: /^Install|Withdraw/ }).count()).toBe(0);
        expect(await page.getByRole("link", { name: "Review", exact: true }).count()).toBe(0);
      },
      { key: app.key("viewer") },
    );
  });

  it.each(["light", "dark"] as const)(
    "has nothing that axe finds in %s: catalogue, each part of a listing, the consent, publishing",
    async (colorScheme) => {
      const found: string[] = [];
      const fresh = await approvedListing(app, smallFiles("policy_pack", { title: "Rules for notes" }));
      await visit(
        "/marketplace",
        async (page) => {
          await page.getByRole("list", { name: "Listings" }).waitFor();
          found.push(...(await violations(page)));
          await page.goto(`${app.url}/marketplace/listings/${fresh.listing_id}`);
          for (const tab of ["About", "Permissions", "Signature and files", "Versions", "Ratings", "Scan"]) {
            await page.getByRole("tab", { name: tab }).click();
            await page.getByRole("tabpanel").locator("section, p").first().waitFor();
            found.push(...(await violations(page)));
          }
          await page.goto(`${app.url}/marketplace/listings/${fresh.listing_id}?install=yes`);
          await dialogOf(page).getByText("What it will make here").waitFor();
          found.push(...(await violations(page)));
          for (const from of ["work", "file"]) {
            await page.goto(`${app.url}/marketplace/publish?from=${from}`);
            await page.getByRole("heading", { name: "Publish", level: 1 }).waitFor();
            found.push(...(await violations(page)));
          }
        },
        { ...admin(), colorScheme },
      );
      expect(found).toEqual([]);
    },
  );
});
