import { expect, it } from "vitest";
import { answerText, troubleOf } from "./words.ts";

it("calls an endpoint in order only where nothing fails and nothing piles up", () => {
  const state = (pending: number, failing_since: string | null = null) =>
    troubleOf({ state: "enabled", health: { failing_since, pending } });
  expect([state(0), state(3)]).toEqual([null, null]);
  expect(state(277)).toEqual({ tone: "warn", text: "Enabled, 277 waiting" });
  expect(state(1, "2026-11-22T08:00:00Z")).toEqual({ tone: "bad", text: "Failing, 1 waiting" });
  expect(troubleOf({ state: "paused", health: { failing_since: null, pending: 277 } })).toBeNull();
});

it("says what an endpoint answered, and else why there was no answer", () => {
  expect(answerText({ status: 503, error: "status" })).toBe("responded 503");
  expect(answerText({ status: null, error: "connection_refused" })).toBe("connection refused");
});
