import { readFileSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

const sample = (name: string) => readFileSync(new URL(`../../docs/guide/samples/${name}`, import.meta.url));

describe("knowledge", () => {
  const app = useApp({ role: "all" });
  const visit = useBrowser(app);
  const violations = async (page: Page) =>
    (await new AxeBuilder({ page }).setLegacyMode().analyze()).violations.map(({ id }) => id);

  /** Drops files as a person does, from outside of the browser. */
  async function drop(page: Page, files: readonly { name: string; type: string; bytes: Buffer }[]): Promise<void> {
    const given = files.map(({ bytes, ...file }) => ({ ...file, text: bytes.toString("base64") }));
    const dataTransfer = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      for (const { name, type, text } of ${JSON.stringify(given)})
        transfer.items.add(new File([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], name, { type }));
      return transfer;
    })()`);
    await page.getByRole("region", { name: "Add documents" }).dispatchEvent("drop", { dataTransfer });
  }

  it("is made by dropping files, searched, cited to the page, corrected, and lacks until a gap is answered, all in the portal", async () => {
    const refused: string[] = [];
    await visit(
      "/knowledge",
      async (page) => {
        page.on("response", (response) => void (response.status() >= 500 && refused.push(response.url())));
        await page.getByRole("button", { name: "New base" }).waitFor();
        await page.keyboard.press("n");
        await page.getByLabel("Name", { exact: true }).fill("handbook");
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: "No documents yet" }).waitFor();
        await drop(page, [
          { name: "returns.pdf", type: "application/pdf", bytes: sample("returns.pdf") },
          { name: "warranty.pdf", type: "application/pdf", bytes: sample("warranty.pdf") },
          { name: "broken.pdf", type: "application/pdf", bytes: Buffer.from("%PDF-1.7 and no more") },
        ]);
        const uploads = page.getByRole("list", { name: "Uploads" }).locator("> li");
        await uploads.filter({ hasText: "returns.pdf" }).getByText("Indexed, 4 chunks").waitFor();
        await uploads.filter({ hasText: "warranty.pdf" }).getByText("Indexed, 2 chunks").waitFor();
        await uploads.filter({ hasText: "broken.pdf" }).getByText("Failed.").waitFor();
        const rows = page.getByRole("table", { name: "Documents" }).locator("tbody tr");
        await rows
          .filter({ hasText: "broken" })
          .getByRole("button", { name: /^Retry/ })
          .waitFor();
        expect(await violations(page)).toEqual([]);

        await page.getByRole("tab", { name: "Search" }).click();
        await page.getByLabel("What are you looking for?").fill("how long may goods be returned");
        await page.keyboard.press("Enter");
        const first = page.getByRole("list", { name: "Passages" }).locator("> li").first();
        await first.getByText("Returns › How long, page 1").waitFor();
        expect(await first.locator("mark").allInnerTexts()).toContain("goods");
        expect(await violations(page)).toEqual([]);
        await first.getByRole("link", { name: "Open the exact place" }).click();
        await page.getByRole("heading", { name: "What is cited" }).waitFor();
        const marked = page.getByRole("group", { name: "Source text" }).locator("mark");
        expect(await marked.innerText()).toContain("within 30 days of delivery");

        await page.getByRole("link", { name: "Open the document" }).click();
        await page.getByRole("button", { name: /^Chunk 1/, expanded: true }).waitFor();
        await page.keyboard.press("j");
        await page.getByRole("button", { name: /^Chunk 2/, expanded: true }).waitFor();
        expect(await marked.innerText()).toContain("The customer pays for the way back");
        await page.getByRole("button", { name: "Correct", exact: true }).click();
        await page.getByLabel("What it should say").fill("Returns are free since October.");
        await page.getByRole("button", { name: "Save", exact: true }).click();
        await page.getByRole("button", { name: /^Chunk 2 corrected/ }).waitFor();
        expect(await violations(page)).toEqual([]);

        await page.goto(`${app.url}/knowledge/bases/handbook?tab=search&q=bicycles+for+rent`);
        await page
          .getByText(/Nothing (good )?was found/)
          .first()
          .waitFor();
        await page.getByRole("tab", { name: "Gaps" }).click();
        const gaps = page.getByRole("table", { name: "Gaps" }).locator("tbody tr");
        await gaps.getByRole("button", { name: "Add a document that answers: bicycles for rent" }).click();
        await page.getByLabel("Text", { exact: true }).fill("We have bicycles for rent from May to October.");
        expect(await violations(page)).toEqual([]);
        await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
        await gaps.getByRole("link", { name: "bicycles for rent", exact: true }).waitFor(); // what is best now
        await gaps.getByRole("link", { name: "Ask again: bicycles for rent" }).click();
        await first.getByText("from May to October").waitFor();
        await page.getByRole("tab", { name: "Gaps" }).click();
        const answered = page.getByRole("table", { name: "Answered gaps" });
        await answered.getByText("bicycles for rent").first().waitFor();
        expect(await violations(page)).toEqual([]);
      },
      { key: app.key("admin") },
    );
    expect(refused).toEqual([]);
  });

  it("says of a deleted document what was removed, and of its citations when", async () => {
    await app.call("POST", "/v1/knowledge/bases", { body: { name: "shelf" } });
    const path = "/v1/knowledge/bases/shelf/documents";
    const text = "Amber looms are oiled once a week.";
    await app.call("POST", path, { body: { external_id: "looms", title: "Looms", text } });
    const { citation } = (await app.call("GET", `${path}/looms/chunks`)).body.data[0];
    await visit(
      "/knowledge/bases/shelf",
      async (page) => {
        await page.getByRole("button", { name: "Delete Looms" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
        await page.getByRole("dialog", { name: "Deleted" }).getByText("Chunks removed").waitFor();
        await page.goto(`${app.url}/knowledge/citations/${citation}`);
        await page.getByText(/was deleted on/).waitFor();
      },
      { key: app.key("admin") },
    );
  });
});
