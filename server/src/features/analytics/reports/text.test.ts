import { parse } from "csv-parse/sync";
import { Marked } from "marked";
import { expect, it } from "vitest";
import { csvOf, htmlOf, markdownOf, type ReportFacts } from "./text.ts";

const figure = (value: number | null, low: number | null = null, high: number | null = null) => ({
  value,
  low,
  high,
  n: 10,
  previous: 0.5,
  link: null,
});
const facts: ReportFacts = {
  name: "Weekly | <b>all</b>",
  from: "2026-11-16",
  to: "2026-11-23",
  timeZone: "Europe/Vienna",
  environment: "production",
  complete: false,
  only: ["agent sales"],
  chapters: [
    {
      chapter: "overview",
      figures: { tasks: figure(1234), success_rate: figure(0.9, 0.85, 0.94), cost_usd: figure(0.0123) },
      tables: [
        {
          by: "agent",
          rows: [{ key: { agent: '=cmd|"x"' }, figures: { tasks: figure(3), success_rate: figure(null) } }],
          more: true,
        },
      ],
    },
  ],
};

it("shows values in their units with intervals, and what is not complete", () => {
  const text = markdownOf(facts);
  expect(text).toContain("| Success rate | 90 % | 85 % to 94 % | 50 % |");
  expect(text).toContain("| Tasks | 1,234 |");
  expect(text).toContain("$0.0123");
  expect(text).toContain("Not complete");
  expect(text).toContain("The largest; there are more.");
});

it("lets no name become markup, neither in Markdown nor in HTML", () => {
  const rendered = new Marked().parse(markdownOf(facts)) as string;
  for (const html of [rendered, htmlOf(facts)]) {
    expect(html).not.toContain("<b>");
    expect(html).toContain("&lt;b&gt;all&lt;/b&gt;");
  }
  expect(rendered.match(/<td/g)?.length).toBe(3 * 4 + 6);
});

it("writes CSV that an independent reader reads, with plain numbers and no formulas", () => {
  const rows = parse(csvOf(facts), { columns: true }) as Record<string, string>[];
  expect(rows[1]).toEqual({
    chapter: "overview",
    by: "",
    name: "",
    measure: "success_rate",
    unit: "share",
    value: "0.9",
    low: "0.85",
    high: "0.94",
    n: "10",
    previous: "0.5",
  });
  expect(rows[3]).toMatchObject({ by: "agent", name: `'=cmd|"x"`, measure: "tasks", value: "3" });
});
