import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { generateKey } from "../kernel/key-format.ts";
import { useApp } from "../testing/app.ts";
import { useSharedApp } from "../testing/shared-app.ts";

describe("keys that nobody issued", () => {
  const began = Date.now();
  // A slow clock, so that a slow machine exceeds the rate as well.
  const app = useApp({ rateLimit: true, clock: { now: () => began + (Date.now() - began) / 100 } });

  it("share one rate per address, so that guessing costs no more than calling", async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) {
      const guesses = Array.from({ length: 100 }, () =>
        app.call("GET", "/v1/agents", { key: generateKey("development", randomBytes) }),
      );
      statuses.push(...(await Promise.all(guesses)).map(({ status }) => status));
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect((await app.call("GET", "/v1/agents")).status).toBe(200);
  });
});

describe("a change whose facts cannot be reloaded after its commit", () => {
  const app = useSharedApp();

  it("is answered as what it is: carried out", async () => {
    const refresh = app.app.facts.refresh.bind(app.app.facts);
    app.app.facts.refresh = () => Promise.reject(new Error("the connection is gone"));
    try {
      const { status, body } = await app.call("POST", "/v1/admin/keys", {
        body: { name: "committed", role: "viewer", for: { service_account: "committed" } },
      });
      expect(status).toBe(201);
      expect(body.key).toMatch(/^aos_dev_/);
    } finally {
      app.app.facts.refresh = refresh;
    }
  });
});
