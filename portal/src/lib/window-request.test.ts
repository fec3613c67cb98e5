import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bounds, instantOf, wallClock, windowRequest } from "./window-request.ts";

const now = Date.parse("2026-11-23T09:41:30Z");

describe("a window of time", () => {
  it("of months begins and ends at midnight of its own zone", () => {
    const zone = "Europe/Vienna";
    const of = (range: "month" | "last_month") => bounds({ range, zone }, now).map((at) => at && wallClock(at, zone));
    expect(of("month")).toEqual(["2026-11-01T00:00", null]);
    expect(of("last_month")).toEqual(["2026-10-01T00:00", "2026-11-01T00:00"]);
  });

  it("asks for whole minutes, for points that fit its length, and for nothing that is still to come", () => {
    const zone = "Asia/Kathmandu";
    expect(windowRequest({ range: "24h", zone }, now)).toEqual({
      from: "2026-11-22T09:41:00.000Z",
      grain: "hour",
      time_zone: zone,
    });
    const custom = {
      range: "custom",
      from: "2026-11-01T00:00",
      to: "2026-12-01T00:00",
      zone,
      label: "team:a",
    } as const;
    expect(windowRequest(custom, now)).toEqual({
      from: "2026-10-31T18:15:00.000Z",
      grain: "day",
      time_zone: zone,
      label: "team:a",
    });
  });

  it("keeps each time that a zone's clock shows", () => {
    const zones = fc.constantFrom("UTC", "Europe/Vienna", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu");
    fc.assert(
      fc.property(zones, fc.integer({ min: 0, max: 60_000_000 }), (zone, minutes) => {
        const wall = wallClock(minutes * 60_000, zone);
        expect(wallClock(instantOf(wall, zone), zone)).toBe(wall);
      }),
    );
  });
});
