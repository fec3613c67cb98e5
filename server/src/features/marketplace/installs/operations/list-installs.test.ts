import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { smallFiles } from "../../marketplace.fixture.ts";
import { installed } from "../installs.fixture.ts";
import type { InstallSummary } from "../schemas.ts";

const app = useApp();
const list = async (query = ""): Promise<{ data: InstallSummary[]; next_cursor: string | null }> =>
  (await app.call("GET", `/v1/marketplace/installs${query}`)).body;
const idsOf = ({ data }: { data: readonly InstallSummary[] }) => data.map(({ install_id }) => install_id);
let keys = 0;
/** Installs a policy pack; under an Idempotency-Key its id begins with the start of the day. */
const make = async (keyed: boolean) => {
  keys += 1;
  const headers = keyed ? { "idempotency-key": `install ${keys}` } : {};
  const { listing, install } = await installed(app, smallFiles("policy_pack"), {}, { headers });
  return { listing, id: install.install_id };
};

it("shows the newest first, however their ids came about, on all pages", async () => {
  const made: string[] = [];
  for (const keyed of [false, true, false, true, true]) made.unshift((await make(keyed)).id);
  expect(idsOf(await list())).toEqual(made);
  const first = await list("?limit=2");
  const newest = (await make(true)).id;
  const second = await list(`?limit=2&cursor=${first.next_cursor}`);
  const third = await list(`?limit=2&cursor=${second.next_cursor}`);
  expect([...idsOf(first), ...idsOf(second), ...idsOf(third)]).toEqual(made);
  expect(third.next_cursor).toBeNull();
  expect(idsOf(await list("?limit=1"))).toEqual([newest]);
});

it("shows installs of one listing, and removed ones where they are asked for", async () => {
  const { listing, id } = await make(false);
  expect(idsOf(await list(`?listing=${listing.listing_id}`))).toEqual([id]);
  await app.call("DELETE", `/v1/marketplace/installs/${id}`);
  expect(idsOf(await list(`?listing=${listing.listing_id}`))).toEqual([]);
  const { data } = await list(`?listing=${listing.listing_id}&removed=true`);
  expect(data.map(({ state, drift, update }) => [state, drift, update])).toEqual([["removed", "none", null]]);
});

it("gives another install to an Idempotency-Key that is used for another listing", async () => {
  const options = { headers: { "idempotency-key": "twice" } };
  const first = await installed(app, smallFiles("policy_pack"), {}, options);
  const second = await installed(app, smallFiles("policy_pack"), {}, options);
  expect(second.install.install_id).not.toBe(first.install.install_id);
});
