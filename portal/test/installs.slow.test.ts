import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { installed } from "../../server/src/features/marketplace/installs/installs.fixture.ts";
import {
  approvedListing,
  importedListing,
  type MadeListing,
  newStranger,
} from "../../server/src/features/marketplace/listings/listings.fixture.ts";
import { packStarter, startersFolder } from "../../server/src/features/marketplace/listings/starters.ts";
import { smallFiles, withFile } from "../../server/src/features/marketplace/marketplace.fixture.ts";
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
  /** A later version of a small agent, with a tool that sends to another host and a higher limit. */
  const newer = ({ listing_id: listing, publisher }: MadeListing) => {
    const files = smallFiles("agent", { version: "1.1.0" });
    const tool = "  - { name: find_order, kind: http, effect: read, description: Finds orders., request: ";
    const more = `${tool}{ method: GET, url: https://shop.example/orders } }\nskills:`;
    const yaml = Buffer.from(files.get("agent.yaml") ?? "").toString("utf8");
    const asked = yaml.replace("skills:", more).replace("cost_usd: 0.01", "cost_usd: 0.5");
    return approvedListing(app, withFile(files, "agent.yaml", asked), { publisher, listing });
  };

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

  it("say what a recall stopped, why and by whom, offer nothing that it forbids, and lead out by a newer version", async () => {
    const { install, listing } = await installed(app);
    await visit(
      `/marketplace/review?listing=${listing.listing_id}`,
      async (page) => {
        await page.getByRole("button", { name: "Recall…" }).click();
        await page.getByText("Stops 1 install, in every environment").waitFor();
        await page.getByLabel("Reason", { exact: true }).fill("It leaks addresses.");
        await page.getByRole("button", { name: "Recall for good" }).click();
        await page.getByText("It was recalled, which is for good.").waitFor();
        await page.goto(`${app.url}/marketplace/installs/${install.install_id}`);
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
        await newer(listing);
        await page.goto(`${app.url}/marketplace/installs/${install.install_id}`);
        await page.getByRole("link", { name: "Update to 1.1.0" }).waitFor();
      },
      admin(),
    );
  });

  it("are updated once what a version asks for in addition is agreed to; changes that it does not touch stay", async () => {
    const { install, listing } = await installed(app);
    await newer(listing);
    const policy = `/v1/governance/policies/${install.parts.find(({ kind }) => kind === "policy")?.id}`;
    const { name, scope, when, effect, reason_code } = (await app.call("GET", policy)).body;
    const body = { name, scope, when, effect, reason_code, message: "Mine.", state: "draft" };
    expect((await app.call("PUT", policy, { body, headers: { "if-match": "*" } })).status).toBe(200);
    await visit(
      `/marketplace/installs/${install.install_id}`,
      async (page) => {
        await page.getByRole("link", { name: "Update to 1.1.0" }).click();
        const dialog = page.getByRole("dialog", { name: /^Update .* to 1\.1\.0$/ });
        const asks = dialog.getByRole("region", { name: "What it asks for" });
        await asks.getByText("Sends data to https://shop.example (find_order).").waitFor();
        await asks.getByText("up to 0.5 US dollars").waitFor();
        await asks.locator("del").getByText("up to 0.01 US dollars").waitFor();
        await dialog.getByText("What changes here").waitFor();
        expect(await dialog.getByRole("checkbox").count()).toBe(0);
        expect(await violations(page)).toEqual([]);
        await dialog.getByRole("button", { name: "Agree and update" }).click();
        await dialog.waitFor({ state: "detached" });
        await page.getByText("Agent, version 1.1.0").waitFor();
      },
      admin(),
    );
    expect((await app.call("GET", policy)).body.message).toBe("Mine.");
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
