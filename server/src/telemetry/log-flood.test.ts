import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLog, reporter } from "./log.ts";

describe("a flood of one line", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const logged = () => {
    const lines: Record<string, unknown>[] = [];
    const log = createLog("info", undefined, { write: (line) => lines.push(JSON.parse(line)) });
    return { log, lines };
  };

  it("is written twenty times in ten seconds, and then how many more there were", () => {
    const { log, lines } = logged();
    const report = reporter(log);
    for (let at = 0; at < 1_000; at++) report(new Error(`connection ${at} broke`), `req_01m8k7gkxa${at}`);
    expect(lines).toHaveLength(20);
    vi.advanceTimersByTime(10_000);
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toMatchObject({ level: 50, left_out: 980, msg: "a fault of the service (more such lines)" });
    report(new Error("connection 7 broke"));
    expect(lines).toHaveLength(22);
  });

  it("hides no other line", () => {
    const { log, lines } = logged();
    for (let at = 0; at < 100; at++) log.warn("a look failed");
    log.warn("another look failed");
    log.error(new Error("a look failed"));
    for (let at = 0; at < 50; at++) log.info("a call");
    expect(lines.map(({ msg }) => msg).filter((msg) => msg === "a look failed")).toHaveLength(21);
    expect(lines.filter(({ msg }) => msg === "a call")).toHaveLength(50);
    expect(lines.some(({ msg }) => msg === "another look failed")).toBe(true);
    vi.advanceTimersByTime(10_000);
    expect(lines.at(-1)).toMatchObject({ left_out: 80, msg: "a look failed (more such lines)" });
  });
});
