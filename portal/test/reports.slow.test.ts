import { describe, expect, it } from "vitest";
import { newId, scope } from "../../server/src/features/analytics/rollups/facts.fixture.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

const htmlText =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>x</title><style>td{color:red}</style></head><body>' +
  "<h1>Figures</h1><table><thead><tr><th>Measure</th><th>Value</th></tr></thead><tbody><tr><td>Tasks</td><td>3 &amp; &lt;4&gt;</td></tr></tbody></table>" +
  "<script>document.title = 'ran'</script></body></html>";

describe("reports in the portal", () => {
  const app = useApp();
  const visit = useBrowser(app);
  const admin = () => ({ key: app.key("admin") });
  const create = async (body: object): Promise<string> => {
    const given = { schedule: "0 7 * * 1", period: "week", ...body };
    return (await app.call("POST", "/v1/analytics/reports", { body: given })).body.report_id;
  };
  const say = async (report: string, media_type: string, text: string, daysAgo: number): Promise<string> => {
    const end = Date.UTC(2026, 10, 23) - daysAgo * 86_400_000;
    const id = newId("iss", end);
    const [ends, starts] = [new Date(end), new Date(end - 7 * 86_400_000)];
    await app.pool.query(
      `insert into analytics_issues (organization, environment, id, report, occasion, starts, ends, complete, media_type, body, created_at)
       values ($1, $2, $3, $4, $5, $6, $5, $7, $8, $9, $5)`,
      [scope.organization, scope.environment, id, report, ends, starts, daysAgo === 0, media_type, text],
    );
    return id;
  };

  it("are made with a schedule whose next times are shown while it is typed, read and removed", async () => {
    await visit(
      "/analytics/reports",
      async (page) => {
        await page.getByRole("heading", { name: "No reports yet" }).waitFor();
        await page.getByRole("button", { name: "New report" }).click();
        const dialog = page.getByRole("dialog", { name: "New report" });
        await dialog.getByLabel("Name").fill("Monday figures");
        await dialog.getByLabel("Schedule").fill("61 7 * * 1");
        await dialog.getByText(/must have five fields/).waitFor();
        await dialog.getByLabel("Schedule").fill("30 6 * * 1");
        await dialog.getByText("Next five times, UTC").waitFor();
        expect(await dialog.getByRole("listitem").filter({ hasText: "Mon " }).count()).toBe(5);
        await dialog.getByLabel("Risk").check();
        await dialog.getByRole("button", { name: "Create report" }).click();
        await page.getByRole("link", { name: "Monday figures" }).click();
        await page.getByRole("heading", { name: "Nothing said yet" }).waitFor();
        const { data } = (await app.call("GET", "/v1/analytics/reports")).body;
        expect(data[0]).toMatchObject({ schedule: "30 6 * * 1", chapters: ["overview", "costs", "quality", "risk"] });
        await page.getByRole("button", { name: "Remove" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
        await page.getByRole("heading", { name: "No reports yet" }).waitFor();
      },
      admin(),
    );
  });

  it("show what they said: Markdown as text, rows as a table, and a page without its scripts and styles", async () => {
    const report = await create({ name: "Weekly" });
    const table = "# Weekly\n\n| Measure | Value |\n| --- | ---: |\n| Tasks | 41 |\n\n<img src=x onerror=alert(1)>";
    await say(report, "text/markdown", table, 0);
    const rows = await say(report, "text/csv", 'measure,value\r\ntasks,"4,2"\r\n', 7);
    const framed = await say(report, "text/html", htmlText, 14);
    await visit(
      `/analytics/reports/${report}`,
      async (page) => {
        await page.getByRole("cell", { name: "41" }).waitFor();
        expect(await page.locator("main img").count()).toBe(0);
        expect(await page.getByRole("list", { name: "Issues" }).getByRole("link").count()).toBe(3);
        await page.goto(`${app.url}/analytics/reports/${report}?issue=${rows}`);
        await page.getByRole("cell", { name: "4,2" }).waitFor();
        await page.getByText(/^Not complete/).waitFor();
        const saved = page.waitForEvent("download");
        await page.getByRole("button", { name: "Download" }).click();
        expect((await saved).suggestedFilename()).toBe("weekly-2026-11-09.csv");
        await page.goto(`${app.url}/analytics/reports/${report}?issue=${framed}`);
        await page.getByRole("cell", { name: "3 & <4>", exact: true }).waitFor();
        expect(await page.locator("main").innerText()).not.toMatch(/document.title|color:red/);
      },
      admin(),
    );
  });
});
