import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { VARIABLES } from "../config/config.ts";
import { run } from "./config.ts";

function call(args: readonly string[], env: Record<string, string> = {}, isTTY = false) {
  const written = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr") =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          written[name] += chunk;
          done();
        },
      }),
      { isTTY },
    );
  const code = run(args, { env, stdout: stream("stdout"), stderr: stream("stderr") });
  return { code, ...written };
}

const ESCAPE = "\u001b[";

describe("aos config", () => {
  it("prints one line for each setting, with value, default and meaning", () => {
    const { code, stdout } = call([], { AOS_PORT: "4100" });
    const lines = stdout.trimEnd().split("\n");
    expect(code).toBe(0);
    expect(lines).toHaveLength(VARIABLES.length + 1);
    expect(lines.find((line) => line.startsWith("AOS_PORT "))).toMatch(/^AOS_PORT +4100 +4000 +Port to listen on/);
  });

  it("uses colours on a terminal only, and not with NO_COLOR", () => {
    expect(call([], {}, true).stdout).toContain(ESCAPE);
    expect(call([], {}, false).stdout).not.toContain(ESCAPE);
    expect(call([], { NO_COLOR: "1" }, true).stdout).not.toContain(ESCAPE);
  });

  it("prints JSON when asked", () => {
    const settings = JSON.parse(call(["--json"], { AOS_ROLE: "api" }).stdout) as { name: string }[];
    expect(settings.find(({ name }) => name === "AOS_ROLE")).toMatchObject({ value: "api", default: "all", set: true });
  });

  it("prints the one line of a wrong value and fails", () => {
    expect(call([], { AOS_ROLE: "boss" })).toEqual({
      code: 1,
      stdout: "",
      stderr: 'AOS_ROLE is "boss"; it must be all, api or worker.\n',
    });
  });

  it("refuses an option that it does not know", () => {
    expect(call(["--yaml"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "aos config does not know --yaml. Usage: aos config [--json]\n",
    });
  });
});
