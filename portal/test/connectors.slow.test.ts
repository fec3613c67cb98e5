import { describe, expect, it } from "vitest";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

describe("connectors", () => {
  const app = useApp({ role: "all" });
  const visit = useBrowser(app);

  const repository = { Repository: "http://127.0.0.1:9/handbook.git", "Branch, tag or commit": "main", Folder: "docs" };
  const api = {
    List: "http://127.0.0.1:9/articles",
    "Items at": "data",
    "Id at": "id",
    Title: "{title}",
    Text: "{body}",
  };

  it.each([
    ["wide", { width: 1360, height: 900 }],
    ["phone", { width: 390, height: 844 }],
  ])("attaches a repository and an API, %s", async (name, viewport) => {
    const base = `shelf-${name}`;
    await app.call("POST", "/v1/knowledge/bases", { body: { name: base } });
    await visit(
      `/knowledge/bases/${base}?tab=connectors`,
      async (page) => {
        for (const [kind, fields] of [
          ["git", { Name: "repository", ...repository }],
          ["json-api", { Name: "articles", ...api }],
        ] as const) {
          await page.getByRole("button", { name: /^New connector/ }).click();
          const dialog = page.getByRole("dialog");
          await dialog.getByLabel("Source", { exact: true }).selectOption(kind);
          for (const [label, value] of Object.entries(fields))
            await dialog.getByLabel(label, { exact: true }).fill(value);
          await dialog.getByLabel("Only these paths").or(dialog.getByLabel("Fields")).first().fill("docs/**/*.md, b");
          if (kind === "json-api") await dialog.getByLabel("Pages", { exact: true }).selectOption("link");
          const shot = process.env.AOS_LOOKS;
          if (shot) {
            await page.screenshot({ path: `${shot}/${kind}-${name}.png` });
            await dialog.getByLabel("Sync", { exact: true }).scrollIntoViewIfNeeded();
            await page.screenshot({ path: `${shot}/${kind}-${name}-end.png` });
          }
          const overflows = await dialog.evaluate((one) => one.scrollWidth > one.clientWidth);
          expect(overflows).toBe(false);
          await dialog.getByRole("button", { name: "Attach" }).click();
          await dialog.waitFor({ state: "detached" });
          await page.getByRole("heading", { name: fields.Name }).waitFor();
        }
        if (process.env.AOS_LOOKS)
          await page.screenshot({ path: `${process.env.AOS_LOOKS}/room-${name}.png`, fullPage: true });
      },
      { key: app.key("admin"), viewport },
    );
    const { body } = await app.call("GET", `/v1/knowledge/bases/${base}/connectors`);
    expect(body.data.toReversed()).toMatchObject([
      {
        kind: "git",
        source: { url: repository.Repository, ref: "main", path: "docs", include: ["docs/**/*.md", "b"] },
      },
      {
        kind: "json-api",
        source: { url: api.List, id: "id", pages: { by: "link" }, text: "{body}", fields: ["docs/**/*.md", "b"] },
      },
    ]);
  });
});
