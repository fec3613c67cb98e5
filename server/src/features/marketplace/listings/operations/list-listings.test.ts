import { beforeAll, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { smallFiles } from "../../marketplace.fixture.ts";
import { approvedListing, importedListing, newStranger, setVersionState } from "../listings.fixture.ts";

const app = useApp();
const names = async (query: string): Promise<string[]> => {
  const { status, body } = await app.call("GET", `/v1/marketplace/listings${query}`);
  expect(status).toBe(200);
  return body.data.map(({ name }: { name: string }) => name);
};
const publisher = newStranger();
const made = (name: string, more: object = {}) => smallFiles("scorer", { name, ...more });

beforeAll(async () => {
  await approvedListing(app, made("first", { title: "Invoice checks", business_function: "Finance" }), { publisher });
  await approvedListing(app, smallFiles("dataset", { name: "second", summary: "100% of INVOICES_ read." }));
  await importedListing(app, made("third"), { publisher });
  const rejected = await importedListing(app, made("fourth"));
  await setVersionState(app, rejected, "rejected");
});

it("lists approved listings, newest first, page by page", async () => {
  expect(await names("")).toEqual(["second", "first"]);
  const { body } = await app.call("GET", "/v1/marketplace/listings?limit=1");
  expect(body.has_more).toBe(true);
  expect(await names(`?limit=1&cursor=${body.next_cursor}`)).toEqual(["first"]);
});

it.each([
  ["words in title and summary, in any case", "?q=invoice", ["second", "first"]],
  ["all words", "?q=invoice%20FINANCE", ["first"]],
  ["words as they stand, with no character that means others", "?q=0%25%20of%20invoices_", ["second"]],
  ["a text that is nowhere", "?q=in_oice", []],
  ["kind", "?kind=dataset", ["second"]],
  ["business function, in any case", "?business_function=finance", ["first"]],
  ["state", "?state=submitted,rejected", ["fourth", "third"]],
  ["publisher", `?publisher=${publisher.publisher.publisher_id}`, ["first"]],
  ["origin", "?origin=own", []],
])("filters by %s", async (_by, query, expected) => {
  expect(await names(query)).toEqual(expected);
});
