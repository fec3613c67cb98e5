import { describe, expect, it } from "vitest";
import type { Environment } from "../../../kernel/principal.ts";
import { KillSwitchDirectory } from "./facts.ts";
import type { KillSwitchKind } from "./rules.ts";

let made = 0;
const row = (kind: KillSwitchKind, environment: Environment, organization = "default") => ({
  organization,
  environment,
  id: `ksw_${++made}`,
  kind,
  target: kind === "agent" ? "sales" : null,
  mode: "stop" as const,
  reason: "test",
  engaged_at: new Date(5),
});
const ids = (directory: KillSwitchDirectory, environment: Environment, organization = "default") =>
  directory.of({ organization, environment }).map(({ id }) => id);

describe("the stops in force", () => {
  it("act in their environment, those of the kind all in every one of their organization", () => {
    const [here, there, all] = [row("agent", "development"), row("environment", "staging"), row("all", "staging")];
    const directory = new KillSwitchDirectory([here, there, all]);
    expect(ids(directory, "development").sort()).toEqual([all.id, here.id].sort());
    expect(ids(directory, "staging").sort()).toEqual([all.id, there.id].sort());
    expect(ids(directory, "production")).toEqual([all.id]);
    expect(ids(directory, "development", "another")).toEqual([]);
  });
});
