import { describe, expect, it } from "vitest";
import { portalAddresses } from "../../server/src/http/portal/addresses.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

describe("the portal's files", () => {
  const app = useApp();
  const visit = useBrowser(app);

  it("are the same text at every address, with nothing in it that a strict policy would have to allow", async () => {
    const texts = new Set<string>();
    for (const address of portalAddresses) {
      const response = await fetch(
        app.url + address.replace(":task", "tsk_01jd8x0000000000000000000a").replace(/:[a-z]+/, "one"),
      );
      expect(response.status, address).toBe(200);
      texts.add(await response.text());
    }
    expect(texts.size).toBe(1);
    expect([...texts][0]).not.toMatch(
      /<style|style=|<script(?! (type="module" crossorigin )?src="\/)|\son[a-z]+=|https?:/,
    );
  });

  it("are less than 200 KB of compressed script for the inbox", async () => {
    await visit("/approvals", async (page) => {
      await page.getByRole("heading", { name: "Approvals", level: 1 }).waitFor();
      await page.getByRole("list", { name: "Approvals" }).waitFor({ state: "attached" });
      const loaded =
        "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).map(({ encodedBodySize }) => encodedBodySize)";
      const sizes = (await page.evaluate(loaded)) as number[];
      const sum = sizes.reduce((all, size) => all + size, 0);
      console.info(`script for the inbox: ${sum} bytes in ${sizes.length} files`);
      expect(sizes.length).toBeGreaterThan(2);
      expect(sum).toBeLessThan(200_000);
      expect(sum).toBeGreaterThan(50_000);
    });
  });
});
