import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const list = (object: string) => app.call("GET", `/v1/governance/confirmations?object=${object}`);

it("refuses to list the confirmations of content whose kind is unknown, and names the kinds", async () => {
  const { status, body } = await list("nope");
  expect([status, body.code, body.errors]).toEqual([
    422,
    "unknown_kind",
    [{ parameter: "object", code: "unknown_kind", detail: expect.stringContaining("kinds are agent, connection") }],
  ]);
  expect((await list("agent:sales@3")).body.data).toEqual([]);
});
