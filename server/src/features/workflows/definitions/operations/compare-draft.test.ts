import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const file = (amount: string): string => `# how refunds are paid
workflow: refund
input: { type: object, required: [amount], properties: { amount: { type: number } } }
steps:
  - id: total
    set: { whole: ${amount} }
`;
const yaml = { "content-type": "application/yaml" };

it("tells how the draft would change and what is wrong with that, by its places, and changes nothing", async () => {
  const made = await app.call("POST", "/v1/workflows", { body: file("input.amount"), headers: yaml });
  const before = made.headers.get("etag");
  const same = await app.call("POST", "/v1/workflows/refund/compare", { body: file("input.amount"), headers: yaml });
  expect([same.status, same.body.identical, same.body.findings]).toEqual([200, true, []]);
  const { body } = await app.call("POST", "/v1/workflows/refund/compare", {
    body: file("input.amount % 2"),
    headers: yaml,
  });
  expect(body.changes).toMatchObject([{ pointer: "/steps/0/set/whole", kind: "changed", after: "input.amount % 2" }]);
  expect(body.findings).toMatchObject([
    { severity: "error", line: 6, detail: expect.stringContaining("declare it type: integer") },
  ]);
  expect((await app.call("GET", "/v1/workflows/refund")).headers.get("etag")).toBe(before);
});
