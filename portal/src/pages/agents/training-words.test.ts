import { expect, it } from "vitest";
import { sourceText } from "./training-words.ts";

it("names the examples of earlier trainings that a version learnt from again", () => {
  const none = { feedback: 0, given: 0, dataset: 0, definition: 0, duplicates: 0 };
  const examples = { ...none, given: 2, earlier: 12, used: 14, train: 11, held_out: 3 };
  expect(sourceText({ examples, environment: "development", method: "model" })).toMatch(
    /: 12 from earlier trainings, 2 given with the request,/,
  );
});
