import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

// Audit sinks as auditors set them up in the browser. `AOS_SCREENSHOTS` names a folder for pictures.

describe("audit sinks", () => {
  const app = useApp();
  const visit = useBrowser(app);
  const folder = process.env.AOS_SCREENSHOTS;
  const auditor = (width = 1280) => ({ key: app.key("auditor"), viewport: { width, height: 900 } });

  const picture = async (page: Page, name: string): Promise<void> => {
    if (folder === undefined) return;
    await mkdir(folder, { recursive: true });
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  const list = async () => (await app.call("GET", "/v1/audit/sinks")).body.data;

  it("are set up, with faults at their fields, paused, given other credentials, and removed", async () => {
    await visit(
      "/webhooks",
      async (page) => {
        await page.getByRole("button", { name: "New audit sink" }).click();
        const form = page.getByRole("dialog");
        await picture(page, "sinks-new");
        await form.getByLabel("Name", { exact: true }).fill("Security team");
        await form.getByLabel("Address").fill("https://10.0.0.8:8088");
        await form.getByLabel("Token").fill("a-token");
        await form.getByLabel("Records").selectOption("all");
        await form.getByRole("button", { name: "Create" }).click();
        await form.getByText("leads to an address that is not public").waitFor();
        await form.getByLabel("Address").fill("http://127.0.0.1:9");
        await form.getByRole("button", { name: "Create" }).click();
        await page.getByRole("table", { name: "Audit sinks" }).getByText("Security team").waitFor();
        expect(await list()).toMatchObject([{ name: "Security team", since_leaf: 0, has_credentials: true }]);
        await page.getByRole("button", { name: "Pause Security team" }).click();
        await page.getByRole("button", { name: "Resume Security team" }).waitFor();
        await page.getByRole("button", { name: "Replace credentials of Security team" }).click();
        await form.getByLabel("Token").fill("another-token");
        await form.getByRole("button", { name: "Replace" }).click();
        await form.waitFor({ state: "hidden" });
        expect(await list()).toMatchObject([{ state: "paused", revision: 3 }]);
        await page.getByRole("button", { name: "Remove Security team" }).click();
        await form.getByRole("button", { name: "Remove" }).click();
        await page.getByText("No audit sinks yet").waitFor();
      },
      auditor(),
    );
    expect(await list()).toEqual([]);
  });

  it("show how far they are behind, why the last attempt failed, and why they stopped", async () => {
    const create = (name: string) =>
      app.call("POST", "/v1/audit/sinks", {
        body: {
          name,
          kind: "splunk_hec",
          target: { url: "http://127.0.0.1:9" },
          credentials: { token: "a-token" },
          from_leaf: 0,
        },
      });
    const [failing, stopped] = [(await create("Fails")).body.sink_id, (await create("Stopped one")).body.sink_id];
    const error = {
      code: "connect_failed",
      detail: "`127.0.0.1` takes no connection (ECONNREFUSED).",
      at: new Date().toISOString(),
    };
    await app.pool.query(
      "update audit_sinks set last_error = $2, failing_since = now() - interval '1 hour', faults = 9, next_at = now() + interval '5 minutes' where id = $1",
      [failing, JSON.stringify(error)],
    );
    await app.pool.query(
      "update audit_sinks set stopped_reason = 'Stopped: Alice (mbr_1) was removed from the organization. Somebody else can take it over.', stopped_at = now() where id = $1",
      [stopped],
    );
    for (const width of [1280, 390])
      await visit(
        "/webhooks",
        async (page) => {
          const table = page.getByRole("table", { name: "Audit sinks" });
          await table.getByText("takes no connection").waitFor();
          await table.getByText("Alice (mbr_1) was removed").waitFor();
          await table.getByRole("button", { name: "Start Stopped one" }).waitFor();
          expect(await table.getByText(/records? behind/).count()).toBe(2);
          await picture(page, `sinks-${width}`);
        },
        auditor(width),
      );
  });
});
