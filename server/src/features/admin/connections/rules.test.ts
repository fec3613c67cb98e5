import { describe, expect, it } from "vitest";
import { headersOf, modelAccess, type OpenConnection } from "./rules.ts";

const openai: OpenConnection = {
  name: "main",
  kind: "openai",
  baseUrl: "https://api.openai.com/v1",
  auth: null,
  secret: "sk-1",
};

describe("what a model is called with", () => {
  it("is the secret of the connection that it names, at the connection's address or another on the same host", () => {
    const model = { provider: "openai", connection: "main" } as const;
    expect(modelAccess(model, openai)).toEqual({ ok: true, secret: "sk-1", baseUrl: "https://api.openai.com/v1" });
    const own = { ...model, settings: { base_url: "https://api.openai.com/v2/" } };
    expect(modelAccess(own, openai)).toEqual({ ok: true, secret: "sk-1", baseUrl: "https://api.openai.com/v2" });
    const gateway = { ...openai, baseUrl: "https://gateway.example.com/openai/v1" };
    expect(modelAccess(model, gateway)).toMatchObject({ baseUrl: "https://gateway.example.com/openai/v1" });
  });

  it("is never a secret for another host, since builders may name addresses and may not read secrets", () => {
    for (const base_url of [
      "https://thief.example.com/v1",
      "http://api.openai.com/v1",
      "https://api.openai.com:8443/v1",
      "nonsense",
    ]) {
      const access = modelAccess({ provider: "openai", connection: "main", settings: { base_url } }, openai);
      expect([base_url, access]).toMatchObject([
        base_url,
        { ok: false, failure: { code: "provider_address_refused" } },
      ]);
      expect(JSON.stringify(access)).not.toContain("sk-1");
    }
  });

  it("is nothing where it names a connection that is not there, or of another kind", () => {
    const missing = modelAccess({ provider: "openai", connection: "main" }, undefined);
    expect(missing).toMatchObject({
      ok: false,
      failure: { code: "provider_not_configured", detail: expect.stringContaining("main") },
    });
    expect(modelAccess({ provider: "anthropic", connection: "main" }, openai)).toMatchObject({
      ok: false,
      failure: { code: "provider_not_configured" },
    });
  });

  it("is no secret where it names no connection", () => {
    const model = { provider: "openai-compatible", settings: { base_url: "http://127.0.0.1:11434/v1" } } as const;
    expect(modelAccess(model, undefined)).toEqual({ ok: true, secret: null, baseUrl: "http://127.0.0.1:11434/v1" });
  });
});

describe("what a tool's request gets", () => {
  const http = (auth: OpenConnection["auth"], secret: string | null = "user:pass"): OpenConnection => ({
    name: "crm",
    kind: "http",
    baseUrl: "https://crm.example.com:8443/api",
    auth,
    secret,
  });

  it("is the secret in the header of its scheme, for one origin", () => {
    const origins = ["https://crm.example.com:8443"];
    expect(headersOf(http({ scheme: "bearer", header: null }))).toEqual({
      headers: { authorization: "Bearer user:pass" },
      origins,
    });
    expect(headersOf(http({ scheme: "basic", header: null }))).toEqual({
      headers: { authorization: "Basic dXNlcjpwYXNz" },
      origins,
    });
    expect(headersOf(http({ scheme: "header", header: "X-Api-Key" }))).toEqual({
      headers: { "x-api-key": "user:pass" },
      origins,
    });
    expect(headersOf(http({ scheme: "bearer", header: null }, null))).toEqual({ headers: {}, origins });
  });
});
