import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { installed } from "../../server/src/features/marketplace/installs.fixture.ts";
import {
  approvedListing,
  importedListing,
  newStranger,
} from "../../server/src/features/marketplace/listings.fixture.ts";
import { smallFiles } from "../../server/src/features/marketplace/marketplace.fixture.ts";
import { packStarter, startersFolder } from "../../server/src/features/marketplace/starters.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

describe("installs in the portal", () => {
  const app = useApp({ role: "all" });
  const visit = useBrowser(app);
  const admin = () => ({ key: app.key("admin") });
  const violations = async (page: Page) =>
    (await new AxeBuilder({ page }).setLegacyMode(true).analyze()).violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${id}: ${target.join(" ")}`),
    );
  const review = (listing: string, body: object) =>
    app.call("POST", `/v1/marketplace/listings/${listing}/review`, { body });

  it("are set up by one button, pressed by keyboard, to an agent that is deployed and did its first task", async () => {
    const { files } = await packStarter(startersFolder, "support-routing");
    const { install } = await installed(app, files);
    await visit(
      "/marketplace/installs",
      async (page) => {
        await page.getByRole("link", { name: "Support routing" }).first().click();
        await page.getByRole("heading", { name: "Until it works" }).waitFor();
        expect(await violations(page)).toEqual([]);
        await page.getByRole("button", { name: "Set it up" }).focus();
        await page.keyboard.press("Enter");
        await page.getByText("It is set up and takes work as").waitFor({ timeout: 150_000 });
        await page.getByRole("region", { name: "Result" }).getByText("team").waitFor();
        await page
          .getByText(/measured by the publisher 0\.\d\d, here 0\.\d\d/)
          .first()
          .waitFor();
        expect(await violations(page)).toEqual([]);
      },
      admin(),
    );
    const { body } = await app.call("GET", `/v1/agents/${install.agent}`);
    expect(body.deployment.version).toBeGreaterThan(1);
  });

  it("say what a recall stopped, why and by whom, and offer nothing that it forbids", async () => {
    const { install, listing } = await installed(app);
    const { status, text } = await review(listing.listing_id, { decision: "recall", reason: "It leaks addresses." });
    expect(status, text).toBe(200);
    await visit(
      `/marketplace/installs/${install.install_id}`,
      async (page) => {
        await page.getByText("Recalled: stopped for good").waitFor();
        await page.getByText("“It leaks addresses.”").waitFor();
        await page
          .getByRole("list", { name: "What was stopped" })
          .getByText(`${install.agent} in development`)
          .waitFor();
        expect(await page.getByRole("button", { name: /^(Set it up|Reset|Train|Deploy)/ }).count()).toBe(0);
        expect(await violations(page)).toEqual([]);
        await page.getByRole("link", { name: "All recalls" }).click();
        await page
          .getByText(/^1 install reached, \d kill switch/)
          .first()
          .waitFor();
      },
      admin(),
    );
  });

  it("show what an update asks for in addition and which local changes it would take the place of", async () => {
    const { install, listing } = await installed(app);
    const { publisher } = listing;
    await approvedListing(app, smallFiles("agent", { version: "1.1.0" }), { publisher, listing: listing.listing_id });
    await visit(
      `/marketplace/installs/${install.install_id}`,
      async (page) => {
        await page.getByRole("link", { name: "Update to 1.1.0" }).click();
        const dialog = page.getByRole("dialog", { name: /^Update .* to 1\.1\.0$/ });
        await dialog.getByText("What it asks for").waitFor();
        await dialog.getByText("What changes here").waitFor();
        expect(await violations(page)).toEqual([]);
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
      },
      admin(),
    );
  });

  it("are reviewed with what was submitted in sight; whoever submitted it is told to ask another person", async () => {
    const { listing_id: listing } = await importedListing(app, smallFiles("agent"), { publisher: newStranger() });
    await visit(
      `/marketplace/review?listing=${listing}`,
      async (page) => {
        await page.getByRole("heading", { name: /^Version 1\.0\.0/ }).waitFor();
        await page.getByText("What it asks for").waitFor();
        expect(await violations(page)).toEqual([]);
        await page.getByRole("button", { name: "Approve…" }).click();
        await page.getByLabel("Reason", { exact: true }).fill("Read it.");
        await page.getByRole("button", { name: "Approve", exact: true }).click();
        await page.getByText("Approving takes another person than who submitted it.").waitFor();
      },
      admin(),
    );
  });
});
