import path from "node:path";
import { cosignerKey, formatCosignerKey, parseCosignerKey } from "@aos/proof";
import { describe, expect, it } from "vitest";
import { ConfigError, readConfig, showConfig, unknownVariables, VARIABLES } from "./config.ts";

const WITNESS = formatCosignerKey(cosignerKey("witness.example/w1", new Uint8Array(32).fill(5)));
const KEY = Buffer.alloc(32, 7).toString("base64");

describe("reading the configuration", () => {
  it("has a default for everything", () => {
    expect(readConfig({})).toEqual({
      host: "127.0.0.1",
      port: 4000,
      appUrl: "http://127.0.0.1:4000",
      dataDir: path.resolve(".aos"),
      databaseUrl: undefined,
      role: "all",
      sample: true,
      starters: true,
      rateLimit: true,
      inFlight: 64,
      secretKey: undefined,
      trustProxy: [],
      outboundAllow: [],
      knowledgeFolders: [],
      auditWitnesses: [],
      modelMemory: 256 * 1024 * 1024,
      logLevel: "info",
      oidcScopes: "openid email profile",
      personalSignIn: false,
    });
  });

  it("takes every variable", () => {
    const config = readConfig({
      AOS_HOST: "::",
      AOS_PORT: "0",
      AOS_APP_URL: "https://agents.example.com/base/",
      AOS_DATA_DIR: "/srv/aos",
      DATABASE_URL: "postgresql://me:pw@db/aos",
      AOS_ROLE: "worker",
      AOS_SAMPLE: "off",
      AOS_STARTERS: "off",
      AOS_RATE_LIMIT: "off",
      AOS_MAX_IN_FLIGHT: "200",
      AOS_SECRET_KEY: KEY,
      AOS_TRUST_PROXY: "10.0.0.0/8, ::1",
      AOS_OUTBOUND_ALLOW: "10.20.0.0/16, http://models.internal:8000",
      AOS_KNOWLEDGE_FOLDERS: "/srv/handbook/, /srv/policies",
      AOS_MIGRATE_DATABASE_URL: "postgresql://owner:pw@db/aos",
      AOS_AUDIT_WITNESSES: `${WITNESS}@https://witness.example/prefix/`,
      AOS_MODEL_MEMORY_MB: "512",
      AOS_LOG: "debug",
    });
    expect(config).toEqual({
      host: "::",
      port: 0,
      appUrl: "https://agents.example.com/base",
      dataDir: "/srv/aos",
      databaseUrl: "postgresql://me:pw@db/aos",
      role: "worker",
      sample: false,
      starters: false,
      rateLimit: false,
      inFlight: 200,
      secretKey: new Uint8Array(32).fill(7),
      trustProxy: ["10.0.0.0/8", "::1"],
      outboundAllow: ["10.20.0.0/16", "http://models.internal:8000"],
      knowledgeFolders: ["/srv/handbook", "/srv/policies"],
      migrateDatabaseUrl: "postgresql://owner:pw@db/aos",
      auditWitnesses: [{ key: parseCosignerKey(WITNESS), url: "https://witness.example/prefix" }],
      modelMemory: 512 * 1024 * 1024,
      logLevel: "debug",
      oidcScopes: "openid email profile",
      personalSignIn: false,
    });
  });

  it("counts an empty variable as absent", () => {
    expect(readConfig({ AOS_PORT: "", DATABASE_URL: " " })).toEqual(readConfig({}));
  });

  it.each([
    ["0.0.0.0", "http://127.0.0.1:4000"],
    ["::", "http://[::1]:4000"],
    ["::1", "http://[::1]:4000"],
    ["agents.local", "http://agents.local:4000"],
  ])("shows the portal of a service that listens on %s at an address that opens", (host, url) => {
    expect(readConfig({ AOS_HOST: host }).appUrl).toBe(url);
  });

  it.each([
    ["AOS_HOST", "not a host"],
    ["AOS_HOST", "999.1.1.1"],
    ["AOS_PORT", "65536"],
    ["AOS_PORT", "-1"],
    ["AOS_PORT", "80a"],
    ["AOS_APP_URL", "agents.example.com"],
    ["AOS_APP_URL", "ftp://agents.example.com"],
    ["AOS_APP_URL", "https://agents.example.com/?a=b"],
    ["AOS_ROLE", "API"],
    ["AOS_SAMPLE", "true"],
    ["AOS_RATE_LIMIT", "0"],
    ["AOS_AUDIT_WITNESSES", "https://witness.example"],
    ["AOS_AUDIT_WITNESSES", WITNESS],
    ["AOS_AUDIT_WITNESSES", `${WITNESS}@ftp://witness.example`],
    ["AOS_AUDIT_WITNESSES", `${WITNESS.replace("w1", "w2")}@https://witness.example`],
    ["AOS_AUDIT_WITNESSES", `${WITNESS}@https://a.example,${WITNESS}@https://b.example`],
    ["AOS_TRUST_PROXY", "10.0.0.0/33"],
    ["AOS_TRUST_PROXY", "on"],
    ["AOS_OUTBOUND_ALLOW", "10.20.0.0/40"],
    ["AOS_OUTBOUND_ALLOW", "models.internal"],
    ["AOS_KNOWLEDGE_FOLDERS", "handbook"],
    ["AOS_KNOWLEDGE_FOLDERS", "/srv/handbook,/"],
    ["AOS_LOG", "loud"],
  ])("refuses %s=%s in one line with the variable, what was given and what is allowed", (name, value) => {
    const allowed = VARIABLES.find((variable) => variable.name === name)?.allowed;
    expect(() => readConfig({ [name]: value })).toThrow(
      new ConfigError(`${name} is ${JSON.stringify(value)}; it must be ${allowed}.`),
    );
  });

  it.each([
    ["AOS_SECRET_KEY", "c2hvcnQ="],
    ["DATABASE_URL", "mysql://root:hunter2@db/aos"],
    ["AOS_MIGRATE_DATABASE_URL", "postgresql://owner:hunter2@db/aos"], // without DATABASE_URL
  ])("does not repeat the value of %s, which is secret", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(
      `${name} has a value that is not allowed (not shown, it is secret); it must be`,
    );
    expect(() => readConfig({ [name]: value })).not.toThrow(value);
  });

  it("takes the secret key in hexadecimal too, as the key file of the data folder holds it", () => {
    expect(readConfig({ AOS_SECRET_KEY: "07".repeat(32) }).secretKey).toEqual(
      readConfig({ AOS_SECRET_KEY: KEY }).secretKey,
    );
    expect(() => readConfig({ AOS_SECRET_KEY: "07".repeat(31) })).toThrow("64 hexadecimal digits");
  });

  it("finds variables that are misspelt", () => {
    expect(unknownVariables({ AOS_PROT: "1", AOS_PORT: "1", HOME: "/" })).toEqual(["AOS_PROT"]);
  });

  it("passes over those of the command line, which the guide has people set", () => {
    expect(unknownVariables({ AOS_URL: "http://127.0.0.1:4000", AOS_KEY: "aos_dev_x", AOS_PROFILE: "live" })).toEqual(
      [],
    );
  });
});

describe("showing the configuration", () => {
  it("masks what is secret and keeps what is not", () => {
    const env = {
      DATABASE_URL: "postgresql://me:hunter2@db:5432/aos?sslpassword=hunter2",
      AOS_SECRET_KEY: KEY,
      AOS_SAMPLE: "off",
    };
    const shown = showConfig(readConfig(env), env);
    const value = (name: string) => shown.find((setting) => setting.name === name);
    expect(value("DATABASE_URL")?.value).toBe("postgresql://me:***@db:5432/aos?sslpassword=***");
    expect(value("AOS_SECRET_KEY")?.value).toBe("(set)");
    expect(value("AOS_SAMPLE")).toMatchObject({ value: "off", default: "on", set: true });
    expect(value("AOS_TRUST_PROXY")).toMatchObject({ value: "off", set: false });
    expect(JSON.stringify(shown)).not.toMatch(/hunter2/);
    expect(shown).toHaveLength(VARIABLES.length);
  });
});
