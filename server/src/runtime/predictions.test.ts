import { expect, it } from "vitest";
import { predictionsOf } from "./predictions.ts";

const notes = (fields: object) => ({ notes: { fields } });

it("tells what the model held possible, the likeliest first and none of these last", () => {
  const predictions = [
    { value: "card_arrival", probability: 0.03 },
    { value: "card_linking", probability: 0.93125 },
  ];
  expect(
    predictionsOf(notes({ "/intent": { probability: 0.93, predictions, none: 0.02 } }), { intent: "card_linking" }),
  ).toEqual({
    "/intent": [
      { value: "card_linking", probability: 0.9313 },
      { value: "card_arrival", probability: 0.03 },
      { value: null, probability: 0.02, none: true },
    ],
  });
});

it("takes the answer's own probability where the model lists nothing else, and nothing of what was copied, quoted or left out", () => {
  const fields = {
    "/deal/won": { probability: 0.8 },
    "/name": { probability: 0.95, citations: [] },
    "/reason": { citations: [] },
    "/team": { left_out: "Nothing was learnt about this." },
    "/odd": { probability: Number.NaN },
  };
  expect(predictionsOf(notes(fields), { deal: { won: true }, name: "Acme" })).toEqual({
    "/deal/won": [{ value: true, probability: 0.8 }],
  });
  expect([predictionsOf({ notes: null }, {}), predictionsOf(notes({}), {})]).toEqual([null, null]);
});
