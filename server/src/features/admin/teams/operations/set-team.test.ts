import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const set = (team: string, body: object, headers: Record<string, string> = {}) =>
  app.call("PUT", `/v1/admin/teams/${team}`, { body, headers });

it("creates a team, changes it, and says whether its members may answer and when it opens", async () => {
  const [operator, viewer] = [await app.member("operator"), await app.member("viewer")];
  const members = [operator.memberId, viewer.memberId];
  const hours = { time_zone: "UTC", weekly: { mon: [{ from: "00:00", to: "00:01" }] } };
  const { body: made } = await set("refunds", { title: "Refunds", members, hours });
  expect(made).toMatchObject({ team: "refunds", revision: 1, assignment: "claim", targets: {}, saved_replies: [] });
  expect(made.members.map(({ answers }: { answers: boolean }) => answers)).toEqual([true, false]);
  expect(made.open || made.opens_at !== null).toBe(true);
  const { body: changed } = await set("refunds", { title: "Money back", members: [], assignment: "least_loaded" });
  expect(changed).toMatchObject({
    title: "Money back",
    revision: 2,
    hours: null,
    open: true,
    opens_at: null,
    members: [],
  });
  expect((await app.call("GET", "/v1/admin/teams/refunds")).body).toEqual(changed);
});

it("takes only people who have a role here, times that can be, and saved replies with names of their own", async () => {
  const { memberId } = await app.member("operator", "staging");
  expect((await set("nobodys", { title: "T", members: [memberId] })).body.errors[0]).toMatchObject({
    pointer: "/members/0",
    code: "unknown_member",
  });
  const hours = { time_zone: "Mars/Base", weekly: { mon: [{ from: "09:00", to: "10:00" }] } };
  const saved_replies = [1, 2].map(() => ({ name: "hello", title: "Hello", text: "Hello {{user}}" }));
  const { body } = await set("nobodys", { title: "T", members: [], hours, saved_replies });
  expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    "/hours/time_zone",
    "/saved_replies/1/name",
  ]);
});

it("is left by whoever loses their role here, and removed at last", async () => {
  const { memberId } = await app.member("operator");
  await set("leaving", { title: "Leaving", members: [memberId] });
  await app.call("PUT", `/v1/admin/members/${memberId}`, { body: { role: null } });
  expect((await app.call("GET", "/v1/admin/teams/leaving")).body.members).toEqual([]);
  expect((await app.call("DELETE", "/v1/admin/teams/leaving")).body).toEqual({ team: "leaving", removed: true });
  expect((await app.call("GET", "/v1/admin/teams/leaving")).status).toBe(404);
});

it("opens documents that name a team to its members at their next read, and closes them to who has left", async () => {
  const [inside, outside] = [await app.member("operator"), await app.member("operator")];
  await set("readers", { title: "Readers", members: [inside.memberId] });
  const base = (await app.call("POST", "/v1/knowledge/bases", { body: { name: "of-a-team" } })).body.name;
  const path = `/v1/knowledge/bases/${base}`;
  await app.call("PATCH", path, { body: { readers: ["team:readers"] } });
  const reads = async ({ secret }: { secret: string }) => (await app.call("GET", path, { key: secret })).status;
  expect([await reads(inside), await reads(outside)]).toEqual([200, 404]);
  await set("readers", { title: "Readers", members: [outside.memberId] });
  expect([await reads(inside), await reads(outside)]).toEqual([404, 200]);
});
