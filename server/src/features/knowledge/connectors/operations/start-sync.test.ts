import { beforeAll, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const base = "/v1/knowledge/bases/shelf-synced";
const start = (body = {}) => app.call("POST", `${base}/sync`, { body });
const connect = (name: string) =>
  app.call("POST", `${base}/connectors`, { body: { name, kind: "feed", source: { url: "https://example.com/feed" } } });

beforeAll(async () => {
  await app.call("POST", "/v1/knowledge/bases", { body: { name: "shelf-synced" } });
});

it("refuses a base without a connector to run, and a connector that is not there", async () => {
  const none = await start();
  expect([none.status, none.body.code]).toEqual([409, "wrong_state"]);
  const unknown = await start({ connector: "nobody" });
  expect([unknown.status, unknown.body.errors]).toMatchObject([
    422,
    [{ pointer: "/connector", code: "unknown_connector" }],
  ]);
});

it("starts one sync of each active connector, and answers the open one where there is one", async () => {
  await connect("one");
  const alone = await start();
  expect(alone.headers.get("location")).toBe(
    `/v1/knowledge/bases/${alone.body.syncs[0].base_id}/syncs/${alone.body.syncs[0].sync_id}`,
  );
  await connect("two");
  const again = await start({ confirm_removals: true });
  expect(again.body.syncs.map(({ connector, state }: Record<string, string>) => [connector, state])).toEqual([
    ["one", "queued"],
    ["two", "queued"],
  ]);
  expect(again.body.syncs[0].sync_id).toBe(alone.body.syncs[0].sync_id);
  const listed = await app.call("GET", `${base}/syncs?connector=one&state=queued,running`);
  expect(listed.body.data.map(({ sync_id }: { sync_id: string }) => sync_id)).toEqual([alone.body.syncs[0].sync_id]);
});
