import { describe, expect, it } from "vitest";
import { blocksOf, has, sectionsWithoutClaims, typedPages } from "./guide-pages.ts";

it.each(typedPages())("$file says in each section what its commands print", ({ text }) => {
  expect(sectionsWithoutClaims(blocksOf(text))).toEqual([]);
});

describe("what a page says of its commands", () => {
  const page =
    '# Page\n\n```sh\nexport A=1\n```\n\n## One\n\n```sh\nbin/aos a   # why\n# → two  words\napi GET /b  # 404 gone\n# "c":1\n```\n\n## Two\n\n```sh\nbin/aos c …\n```\n\n```sh\nbin/aos d\n```\n';

  it("is read from comments behind an arrow, in quotation marks, or of a status", () => {
    expect(blocksOf(page)[1]).toMatchObject({ section: "One", claims: ["two  words", '"c":1'], statuses: ["404"] });
  });

  it("is missing where a section has commands and nothing is said of them", () => {
    expect(sectionsWithoutClaims(blocksOf(page))).toEqual(["Two"]);
  });

  it("stands in one line of the output, in this order, whatever aligns its columns", () => {
    expect(has("NAME   STATE\nsales  live   20", "sales live … 0")).toBe(true);
    expect(has("NAME   STATE\nsales  live", "STATE sales")).toBe(false);
    expect(has("sales  live", "live … sales")).toBe(false);
  });
});
