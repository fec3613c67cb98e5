import { describe, expect, it } from "vitest";
import { readReport } from "./wrk.ts";

const line = (members: object) =>
  `Running 1s test\n\naos-bench ${JSON.stringify({
    requests: 5000,
    duration_us: 2_000_000,
    p50_us: 1500,
    p99_us: 9000.5,
    max_us: 20_000,
    refused: 0,
    broken: 0,
    timeouts: 0,
    ...members,
  })}\n`;

describe("wrk's report", () => {
  it("becomes a rate per second and times in milliseconds", () => {
    expect(readReport(line({}))).toEqual({ requests: 5000, perSecond: 2500, p50: 1.5, p99: 9.0005, longest: 20 });
  });
  it.each(["refused", "broken", "timeouts"])("is no result where requests were %s", (kind) => {
    expect(() => readReport(line({ [kind]: 1 }))).toThrow("measures nothing");
  });
  it("is no result where nothing was answered", () => {
    expect(() => readReport(line({ requests: 0 }))).toThrow("not one request");
  });
  it("is told with wrk's own words where it is missing", () => {
    expect(() => readReport("unable to connect to 127.0.0.1:1")).toThrow("unable to connect");
  });
});
