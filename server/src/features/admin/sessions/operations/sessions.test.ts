import { describe, expect, it } from "vitest";
import { recordOf } from "../../../../testing/records.ts";
import { linkToken, signIn } from "../../../../testing/sessions.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const listed = async (session: Awaited<ReturnType<typeof signIn>>) =>
  (await session.call("GET", "/v1/admin/sessions")).body.data;
const ids = (sessions: readonly { session_id: string }[]) => sessions.map(({ session_id }) => session_id);

describe("the sessions of a member", () => {
  it("are listed with where, how and which is this one", async () => {
    const { memberId } = await app.member("viewer");
    const agent = { "user-agent": "Example Browser" };
    const first = await signIn(app, { token: await linkToken(app, memberId) }, agent);
    const second = await signIn(app, { token: await linkToken(app, memberId) });
    const sessions = await listed(second);
    expect(sessions).toMatchObject([
      { session_id: second.session.session_id, current: true },
      {
        session_id: first.session.session_id,
        current: false,
        method: "link",
        address: "127.0.0.1",
        browser: "Example Browser",
      },
    ]);
  });

  it("are seen and ended by themselves and by admins, and by nobody else", async () => {
    const { memberId } = await app.member("operator");
    const own = await signIn(app, { token: await linkToken(app, memberId) });
    const stranger = await signIn(app, { key: (await app.member("approver")).secret });
    const target = `/v1/admin/sessions/${own.session.session_id}`;
    expect(ids(await listed(stranger))).toEqual([stranger.session.session_id]);
    expect((await stranger.change("DELETE", target)).status).toBe(404);
    const narrow = { name: "narrow", role: "admin", agents: ["sales"] };
    const { key } = (await app.call("POST", "/v1/admin/keys", { body: narrow })).body;
    expect((await app.call("DELETE", target, { key })).status).toBe(403);
    expect((await app.call("DELETE", target, { environment: "staging" })).status).toBe(404);
    expect((await app.call("GET", `/v1/admin/sessions?member=${memberId}`)).body.data).toHaveLength(1);
    const ended = await app.call("DELETE", target);
    expect(ended.status).toBe(200);
    expect((await own.call("GET", "/v1/tasks")).status).toBe(401);
    expect(await recordOf(app, ended.headers.get("audit-ref"))).toMatchObject({
      object: `session:${own.session.session_id}`,
    });
  });

  it("are not listed any more once they ended with their key or with the role behind them", async () => {
    const { memberId, keyId, secret } = await app.member("operator");
    const byKey = await signIn(app, { key: secret });
    const byLink = await signIn(app, { token: await linkToken(app, memberId) });
    const seen = async () => ids((await app.call("GET", `/v1/admin/sessions?member=${memberId}`)).body.data);
    expect(await seen()).toEqual([byLink.session.session_id, byKey.session.session_id]);
    await app.call("DELETE", `/v1/admin/keys/${keyId}`);
    expect(await seen()).toEqual([byLink.session.session_id]);
    await app.call("PUT", `/v1/admin/members/${memberId}`, { body: { role: null } });
    expect(await seen()).toEqual([]);
  });
});
