import { expect, it } from "vitest";
import { headline } from "./words.ts";

const quiet = { decisions: 0, questions: 0, moreQuestions: false, waiting: 0, stops: 0, running: 0 };

it("is quiet only where nothing needs anybody and nothing is stopped", () => {
  expect(headline(quiet)).toBe("Nothing needs attention");
  expect(headline({ ...quiet, running: 2 })).toBe("2 tasks running, nothing needs you");
  expect(headline({ ...quiet, stops: 1, waiting: 10, running: 2 })).toBe(
    "A kill switch is engaged, 10 decisions wait for others",
  );
  expect(headline({ ...quiet, decisions: 10, waiting: 12, stops: 1 })).toBe("10 decisions need you");
  expect(headline({ ...quiet, questions: 1 })).toBe("1 question needs you");
  expect(headline({ ...quiet, decisions: 1, questions: 20, moreQuestions: true })).toBe(
    "1 decision and more than 20 questions need you",
  );
});
