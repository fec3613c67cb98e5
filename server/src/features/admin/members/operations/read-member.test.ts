import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

const app = useApp();

it("shows a member as the environment of the call sees them, by id and by address", async () => {
  const { body: invited } = await app.call("PUT", "/v1/admin/members/read@example.com", {
    body: { role: "viewer", name: "Read" },
  });
  for (const named of [invited.member_id, "READ@example.com"]) {
    const { status, body } = await app.call("GET", `/v1/admin/members/${named}`);
    expect([named, status, body]).toEqual([named, 200, { ...invited, invitation_sent_at: body.invitation_sent_at }]);
  }
  expect(
    (await app.call("GET", `/v1/admin/members/${invited.member_id}`, { environment: "staging" })).body.role,
  ).toBeNull();
  expect((await app.call("GET", "/v1/admin/members/nobody@example.com")).status).toBe(404);
});
