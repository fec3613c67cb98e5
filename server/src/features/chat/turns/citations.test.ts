import { expect, it } from "vitest";
import type { CallRow } from "../../tasks/public.ts";
import type { Part } from "../schemas.ts";
import { withCitations } from "./citations.ts";

const search = (output: object): CallRow => ({
  id: "stp_2",
  number: 2,
  name: "search",
  state: "finished",
  input: "{}",
  output: JSON.stringify(output),
  failure: null,
  seal: null,
});
const passage = (page: string, text: string, url?: string) => ({
  id: `doc_${page}#1`,
  base: "help",
  title: `About ${page}`,
  text,
  citation: `cit_${page.repeat(26)}11111111`,
  ...(url && { url }),
});
const returns = passage("a", "Returns\n\nReturns are free of charge. Use the label.", "https://shop.example/returns");
const invoices = passage("b", "Invoices are sent by mail on that day.");
const chunks = [returns, invoices];
const text = (said: string): Part => ({ type: "text", text: said });

it("cites only what the reply quotes, with its address and where it stands in the reply", () => {
  const parts = [text("I look."), text("Well: Returns are free of charge. Good.")];
  const cited = withCitations(parts, [search({ chunks: [...chunks, ...chunks], answered: false })]);
  expect(cited.slice(2)).toEqual([
    {
      type: "citation",
      citation_id: returns.citation,
      title: "About a",
      quote: returns.text,
      position: { part: 1, start: 6, end: 33 },
      base: "help",
      document_id: `doc_${"a".repeat(26)}`,
      chunk_id: "doc_a#1",
      url: "https://shop.example/returns",
    },
  ]);
  expect(withCitations(cited, [search({ chunks })])).toEqual(cited);
});

it("cites the pages that a reply lists, one passage of each", () => {
  const list = text("I am not sure:\n\n- [About a](https://shop.example/returns)\n- About b");
  const second = { ...returns, id: "doc_a#2" };
  const cited = withCitations([list], [search({ chunks: [returns, second, invoices], outcome: "unsure" })]);
  expect(cited.slice(1)).toMatchObject([{ chunk_id: "doc_a#1" }, { chunk_id: "doc_b#1", url: null }]);
});

it("gives a refusal no sources, whatever was found", () => {
  const refused = [text("I do not know that.")];
  expect(withCitations(refused, [search({ chunks })])).toEqual(refused);
  expect(withCitations(refused, [search({ chunks, answered: false })])).toEqual(refused);
});

it("cites what answered the search of a reply in other words", () => {
  const cited = withCitations(
    [text("An invoice: invoices usually arrive by mail, that day.")],
    [search({ chunks: [invoices] })],
  );
  expect(cited).toHaveLength(1);
  const own = [text("Invoices are usually mailed, that is they are sent that day.")];
  expect(
    withCitations(own, [search({ chunks: [passage("c", "Invoices are mailed usually; sent by letter.")] })])[1],
  ).toMatchObject({
    position: null,
  });
});

it("takes what a search is unsure of for no source of a reply that neither quotes nor names it, whatever model wrote it", () => {
  const reply = [text("There is no charge on returns where the label of the order is used")];
  const sources = (found: object) => withCitations(reply, [search({ chunks, ...found })]).length - 1;
  expect([sources({ outcome: "answered" }), sources({ outcome: "unsure" }), sources({ outcome: "nothing" })]).toEqual([
    2, 0, 0,
  ]);
  expect([sources({}), sources({ answered: false })]).toEqual([2, 0]);
});
