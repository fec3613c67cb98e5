import { describe, expect, it, vi } from "vitest";
import { sessionTimes } from "../../../kernel/sessions.ts";
import { startTestApp, useApp } from "../../../testing/app.ts";
import { linkToken, signIn } from "../../../testing/sessions.ts";

const hour = 3_600_000;
const until = (_what: string, condition: () => Promise<boolean>) =>
  vi.waitUntil(condition, { timeout: 20_000, interval: 50 });

describe("a session", () => {
  const app = useApp();
  const works = async (session: { call: (method: string, path: string) => Promise<{ status: number }> }) =>
    (await session.call("GET", "/v1/tasks")).status;

  it("ends with its key, at once where that was revoked and within a second elsewhere", async () => {
    const elsewhere = await startTestApp({ connectionString: app.connectionString });
    try {
      const { secret, keyId } = await app.member("viewer");
      const session = await signIn(app, { key: secret });
      const there = () => elsewhere.call("GET", "/v1/tasks", { key: null, headers: { cookie: session.cookie } });
      expect((await there()).status).toBe(200);
      await app.call("DELETE", `/v1/admin/keys/${keyId}`);
      const revoked = performance.now();
      expect(await works(session)).toBe(401);
      await until("the other process refuses the session", async () => (await there()).status === 401);
      expect(performance.now() - revoked).toBeLessThan(5_000); // a second by the clock of an idle machine: the facts' own bound
    } finally {
      await elsewhere.close();
    }
  });

  it("that was opened or ended in one process is so in the other", async () => {
    const elsewhere = await startTestApp({ connectionString: app.connectionString });
    try {
      const session = await signIn(app, { token: await linkToken(app) });
      const there = (method: string) =>
        elsewhere.call(method, "/auth/session", {
          key: null,
          headers: { cookie: session.cookie, "x-csrf-token": session.session.csrf },
        });
      expect((await there("GET")).body).toEqual(session.session);
      expect((await there("DELETE")).status).toBe(200);
      await until("the session has ended here", async () => (await works(session)) === 401);
    } finally {
      await elsewhere.close();
    }
  });

  it("follows its person's role: what they may now, and nothing where they have none any more", async () => {
    const { memberId } = await app.member("builder");
    const session = await signIn(app, { token: await linkToken(app, memberId) });
    const setRole = (role: string | null) => app.call("PUT", `/v1/admin/members/${memberId}`, { body: { role } });
    await setRole("viewer");
    expect((await session.call("GET", "/auth/session")).body).toMatchObject({ role: "viewer" });
    await setRole("admin");
    expect((await session.call("GET", "/v1/admin/keys")).status).toBe(200);
    await setRole(null);
    expect(await works(session)).toBe(401);
  });

  it("that a key opened ends with the role behind the key", async () => {
    const { memberId, secret } = await app.member("builder");
    const session = await signIn(app, { key: secret });
    await app.call("PUT", `/v1/admin/members/${memberId}`, { body: { role: "viewer" } });
    expect(await works(session)).toBe(401);
  });

  it("that has ended is told as that, and not as a key", async () => {
    const session = await signIn(app, { token: await linkToken(app) });
    await session.change("DELETE", "/auth/session");
    const { body } = await session.call("GET", "/v1/tasks");
    expect([body.title, body.detail]).toEqual(["No valid key or session", "The session has ended: sign in again."]);
  });

  it("keeps to the networks of its key", async () => {
    const body = { name: "elsewhere only", role: "viewer", addresses: ["192.0.2.0/24"] };
    const { key } = (await app.call("POST", "/v1/admin/keys", { body })).body;
    const refused = await signIn(app, { key });
    expect(refused.answered.body.code).toBe("address_not_allowed");
  });

  it("issues no key that may do more than itself", async () => {
    const { memberId } = await app.member("admin");
    const session = await signIn(app, { token: await linkToken(app, memberId) });
    const issued = await session.change("POST", "/v1/admin/keys", {
      name: "mine",
      role: "viewer",
      for: { member: memberId },
    });
    expect(issued.body).toMatchObject({ role: "viewer", member_id: memberId, created_by: memberId });
    const lesser = await app.member("viewer");
    const viewer = await signIn(app, { token: await linkToken(app, lesser.memberId) });
    expect((await viewer.change("POST", "/v1/admin/keys", { name: "more", role: "admin" })).body.code).toBe(
      "insufficient_scope",
    );
  });

  it("is one of twenty at most: the oldest ends", async () => {
    const { secret } = await app.member("viewer");
    const first = await signIn(app, { key: secret });
    const second = await signIn(app, { key: secret });
    for (let i = 0; i < 19; i++) await signIn(app, { key: secret });
    expect([await works(first), await works(second)]).toEqual([401, 200]);
  });

  it("ends a stream that it follows when it ends", async () => {
    const session = await signIn(app, { token: await linkToken(app) });
    const { task_id } = await app.dispatch();
    const response = await fetch(`${app.url}/v1/tasks/${task_id}/events`, {
      headers: { cookie: session.cookie, accept: "text/event-stream" },
    });
    expect(response.status).toBe(200);
    await session.change("DELETE", "/auth/session");
    await response.text(); // resolves when the stream is over
    expect(await works(session)).toBe(401);
  });
});

describe("the time of a session", () => {
  let ahead = 0;
  const app = useApp({ clock: { now: () => Date.now() + ahead } });
  const later = async (ms: number, work: () => Promise<void>): Promise<void> => {
    ahead += ms;
    await app.app.facts.refresh(); // or a busy machine refuses what it could not confirm since
    await work();
  };

  it("runs out twelve hours after its last use", async () => {
    const used = await signIn(app, { token: await linkToken(app) });
    const left = await signIn(app, { token: await linkToken(app) });
    const endOf = async ({ session }: { session: { session_id: string } }): Promise<number> =>
      (
        await app.pool.query("select expires_at from sessions where id = $1", [session.session_id])
      ).rows[0].expires_at.getTime();
    const before = await endOf(used);
    await later(11 * hour, async () => {
      expect((await used.call("GET", "/v1/tasks")).status).toBe(200);
      await until("the use is written", async () => (await endOf(used)) > before);
    });
    await later(2 * hour, async () => {
      expect((await used.call("GET", "/v1/tasks")).status).toBe(200);
      expect((await left.call("GET", "/v1/tasks")).body.detail).toContain("sign in again");
    });
  });

  it("is written no more than once an hour", async () => {
    const session = await signIn(app, { token: await linkToken(app) });
    const end = async (): Promise<number> =>
      (
        await app.pool.query("select expires_at from sessions where id = $1", [session.session.session_id])
      ).rows[0].expires_at.getTime();
    const first = await end();
    await later(hour / 2, async () => {
      await session.call("GET", "/v1/tasks");
      expect(await end()).toBe(first);
    });
  });

  it("runs out after seven days, however much it is used", async () => {
    const session = await signIn(app, { token: await linkToken(app) });
    for (let at = 0; at + 11 * hour < sessionTimes.most; at += 11 * hour) {
      await later(11 * hour, async () => {
        expect((await session.call("GET", "/v1/tasks")).status).toBe(200);
        await until("the use is written", async () => {
          const { rows } = await app.pool.query("select expires_at, created_at from sessions where id = $1", [
            session.session.session_id,
          ]);
          const most = rows[0].created_at.getTime() + sessionTimes.most;
          return rows[0].expires_at.getTime() >= Math.min(most, Date.now() + ahead + 10 * hour);
        });
      });
    }
    await later(12 * hour, async () => expect((await session.call("GET", "/v1/tasks")).status).toBe(401));
  });

  it("of a link is fifteen minutes", async () => {
    const [early, late] = [await linkToken(app), await linkToken(app)];
    await later(14 * 60_000, async () => expect((await signIn(app, { token: early })).answered.status).toBe(200));
    await later(2 * 60_000, async () => expect((await signIn(app, { token: late })).answered.status).toBe(401));
  });
});

describe("attempts to sign in", () => {
  const app = useApp({ rateLimit: true });

  it("are thirty a minute from one address, whatever they try, and calls go on", async () => {
    const tries = Array.from({ length: 40 }, (_, i) =>
      i % 2 === 0 ? signIn(app, { token: "A".repeat(43) }) : signIn(app, { key: `aos_dev_${"0".repeat(38)}` }),
    );
    const answers = (await Promise.all(tries)).map(({ answered }) => answered);
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(30);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await app.call("GET", "/v1/tasks")).status).toBe(200);
  });
});

describe("the rate of a session", () => {
  const app = useApp({ rateLimit: true });

  it("is that of the key that opened it, and what is refused names that key", async () => {
    const { key } = (
      await app.call("POST", "/v1/admin/keys", { body: { name: "slow", role: "viewer", rate_per_second: 1 } })
    ).body;
    const session = await signIn(app, { key });
    const ask = () => Promise.all(Array.from({ length: 20 }, () => session.call("GET", "/v1/tasks")));
    let refused: Awaited<ReturnType<typeof ask>>[number] | undefined;
    while (refused === undefined) refused = (await ask()).find(({ status }) => status === 429);
    expect(refused.body.detail).toMatch(/^The key that opened the session has used up its rate; wait \d+ s\.$/);
  });
});
