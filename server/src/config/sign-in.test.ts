import { describe, expect, it } from "vitest";
import { ConfigError, readConfig, showConfig } from "./config.ts";

const provider = {
  AOS_OIDC_ISSUER: "https://id.example.com",
  AOS_OIDC_CLIENT_ID: "agents",
  AOS_OIDC_CLIENT_SECRET: "hunter2",
};
const mail = { AOS_SMTP_URL: "smtps://me:hunter2@mail.example.com", AOS_MAIL_FROM: "Agents <agents@example.com>" };
const app = { AOS_APP_URL: "https://agents.example.com" };

describe("the settings of the sign-in", () => {
  it("allow signing in in person by a provider or by invitations, and do not without either", () => {
    expect(readConfig(provider).personalSignIn).toBe(true);
    expect(readConfig({ ...mail, ...app }).personalSignIn).toBe(true);
    expect(readConfig({}).personalSignIn).toBe(false);
  });

  it("map values of a claim to roles, for each environment", () => {
    const text = '{"claim":"groups","production":{"leads":"approver"}}';
    const expected = { claim: "groups", environments: { production: { leads: "approver" } } };
    expect(readConfig({ ...provider, AOS_OIDC_ROLES: text }).oidcRoles).toEqual(expected);
  });

  it.each([
    ["AOS_OIDC_ISSUER", "http://id.example.com"],
    ["AOS_OIDC_ISSUER", "id.example.com"],
    ["AOS_OIDC_ISSUER", "https://id.example.com/?tenant=1"],
    ["AOS_OIDC_SCOPES", "email profile"],
    ["AOS_OIDC_ROLES", "groups"],
    ["AOS_OIDC_ROLES", '{"production":{"leads":"approver"}}'],
    ["AOS_OIDC_ROLES", '{"claim":"groups"}'],
    ["AOS_OIDC_ROLES", '{"claim":"groups","live":{"leads":"approver"}}'],
    ["AOS_OIDC_ROLES", '{"claim":"groups","production":{"leads":"owner"}}'],
    ["AOS_MAIL_FROM", "Agents"],
    ["AOS_MAIL_FROM", "agents@example.com\nBcc: everybody@example.com"],
  ])("refuse %s=%s in one line", (name, value) => {
    expect(() => readConfig({ ...provider, ...mail, ...app, [name]: value })).toThrow(
      new RegExp(`^${name} is ".*"; it must be .*\\.$`),
    );
  });

  it.each([
    [{ AOS_OIDC_ISSUER: "https://id.example.com" }, "AOS_OIDC_CLIENT_ID and AOS_OIDC_CLIENT_SECRET are missing"],
    [{ AOS_OIDC_ROLES: '{"claim":"groups","production":{}}' }, "AOS_OIDC_ROLES needs a provider"],
    [{ ...app, AOS_SMTP_URL: "smtp://localhost" }, "AOS_MAIL_FROM is missing"],
    [{ ...app, AOS_MAIL_FROM: "agents@example.com" }, "AOS_SMTP_URL is missing"],
    [mail, 'AOS_APP_URL is "http://127.0.0.1:4000"; with AOS_SMTP_URL it must be https with a host name'],
    [{ ...mail, AOS_APP_URL: "http://agents.example.com" }, "AOS_APP_URL"],
    [{ ...mail, AOS_APP_URL: "https://192.0.2.1" }, "AOS_APP_URL"],
  ])("stop the start in one line where one lacks another: %j", (env, line) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(line);
    expect(() => readConfig(env)).not.toThrow("\n");
  });

  it("take an issuer over plain HTTP on this machine only", () => {
    for (const host of ["127.0.0.1:9000", "localhost", "[::1]:9000"])
      readConfig({ ...provider, AOS_OIDC_ISSUER: `http://${host}` });
  });

  it("are shown without their secrets", () => {
    const env = {
      ...provider,
      ...mail,
      ...app,
      AOS_OIDC_ROLES: '{"claim":"groups","production":{"leads":"approver"}}',
    };
    const shown = showConfig(readConfig(env), env);
    expect(JSON.stringify(shown)).not.toContain("hunter2");
    expect(shown.find(({ name }) => name === "AOS_SMTP_URL")?.value).toBe("smtps://me:***@mail.example.com");
    expect(shown.find(({ name }) => name === "AOS_OIDC_ROLES")?.value).toContain('"leads":"approver"');
  });
});
