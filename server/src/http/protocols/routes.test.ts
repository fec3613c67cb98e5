import { expect, it } from "vitest";
import { useApp } from "../../testing/app.ts";

const app = useApp({ rateLimit: true });
const remaining = (headers: Headers): number => Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);

it("counts a request once against the caller's rate, however many calls it is made of", async () => {
  const key = (await app.member("operator")).secret;
  const body = { model: "sales", input: "Where is my order?", background: true };
  const left: number[] = [];
  for (let n = 0; n < 3; n++) left.push(remaining((await app.call("POST", "/v1/responses", { key, body })).headers));
  expect((left[0] as number) - (left[2] as number)).toBeLessThanOrEqual(2);
  expect(left[0]).toBeGreaterThan(0);
});

it("lets pages of any origin send what the clients send, and names other methods' problem", async () => {
  const asking = { origin: "https://shop.example", "access-control-request-method": "POST" };
  const { status, headers } = await app.call("OPTIONS", "/v1/chat/completions", { key: null, headers: asking });
  expect([status, headers.get("access-control-allow-methods")]).toEqual([204, "POST"]);
  expect(headers.get("access-control-allow-headers")).toContain("X-Stainless-Retry-Count");
  const wrong = await app.call("GET", "/v1/chat/completions");
  expect([wrong.status, wrong.headers.get("allow"), wrong.body.code]).toEqual([405, "POST", "method_not_allowed"]);
});

it("refuses a body that is too large or no JSON in the manner of the interface", async () => {
  const large = await app.call("POST", "/v1/chat/completions", { body: "x".repeat(1024 * 1024 + 1) });
  expect([large.status, large.body.error?.code]).toEqual([413, "body_too_large"]);
  const broken = await app.call("POST", "/v1/responses", { body: "{" });
  expect([broken.status, broken.body.error?.code]).toEqual([400, "malformed_body"]);
  const none = await app.call("POST", "/v1/chat/ui/sales", { body: {} });
  expect([none.status, none.body.code]).toEqual([422, "invalid_body"]);
});
