import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

const app = useApp();

it("says that no mail server is configured, and does not pretend to invite", async () => {
  await app.call("PUT", "/v1/admin/members/somebody@example.com", { body: { role: "viewer" } });
  const { status, body } = await app.call("POST", "/v1/admin/members/somebody@example.com/invitation", { body: {} });
  expect([status, body.code]).toEqual([409, "email_not_configured"]);
});
