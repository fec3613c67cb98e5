import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { answerTo, wantedFields } from "./answer.ts";
import { readArtifact } from "./artifact-format.ts";
import { fit } from "./fit.ts";
import { noneOf, noveltyOf } from "./novelty.ts";
import { Predictor } from "./predictor.ts";
import { randomOf } from "./random.ts";

const intents: Record<string, string> = {
  card_arrival: "When will my new card arrive in the mail",
  lost_phone: "Somebody took my telephone and I cannot use the app",
  exchange_rate: "Which rate do you use when I change euros into dollars",
};
const schema = { type: "object", properties: { intent: { type: "string", enum: [...Object.keys(intents), "other"] } } };

/** Questions of a bank in words that change a little. */
function questions(count: number, seed: number) {
  const random = randomOf(seed);
  return Array.from({ length: count }, (_, at) => {
    const [intent, text] = Object.entries(intents)[at % 3] as [string, string];
    const words = text.split(" ").filter(() => random() > 0.3);
    return {
      input: { question: `${words.join(" ")} please, ${["today", "soon", "again"][Math.floor(random() * 3)]}` },
      records: {},
      output: { intent },
    };
  });
}

const bytes = fit(schema, questions(90, 1), 1, () => undefined);
const predictor = new Predictor(readArtifact(bytes));
const ask = (question: string, by = predictor) =>
  answerTo(wantedFields(schema, by), by, { input: { question }, records: {} });

it("finds what is asked in its own words familiar, and what is about something else new", () => {
  const known = questions(60, 2).map(({ input }) => ask(input.question).novelty as number);
  expect(known.filter((novelty) => novelty > 0.5).length).toBeLessThan(10);
  expect(ask("Boundary layers of supersonic flow around blunt bodies").novelty).toBe(1);
  expect(ask("A large pizza with extra cheese").novelty).toBe(1);
});

it("tells the likeliest classes and the probability of none, which sum to 1, and never a class without examples", () => {
  for (const [text, strange] of [
    ["When will my card arrive please, today", false],
    ["A large pizza with extra cheese", true],
  ] as const) {
    const { output, fields, probability, groundedness } = ask(text);
    const note = fields["/intent"] as {
      probability: number;
      predictions: { value: string; probability: number }[];
      none: number;
    };
    expect(note.predictions.map(({ value }) => value).sort()).toEqual(Object.keys(intents).sort());
    expect(note.predictions[0]).toEqual({ value: output.intent, probability: note.probability });
    expect(note.predictions.reduce((sum, one) => sum + one.probability, note.none)).toBeCloseTo(1, 9);
    expect(note.none > 0.8).toBe(strange);
    expect(probability).toBe(note.probability);
    expect(groundedness > 0.5).toBe(!strange);
  }
});

it("says neither probability nor novelty where nothing was learnt", () => {
  const answer = answerTo(wantedFields(schema, null), null, {
    input: { question: "When will my card arrive" },
    records: {},
  });
  expect(answer).not.toHaveProperty("probability");
  expect(answer).not.toHaveProperty("novelty");
});

it("learns from the name of a class as from an example", () => {
  expect(ask("exchange").output).toEqual({ intent: "exchange_rate" });
});

it("predicts with an artifact of the format's first version, without a novelty", () => {
  const length = Buffer.from(bytes).readUInt32LE(12);
  const { scheme: _, familiarity: __, ...header } = JSON.parse(Buffer.from(bytes).toString("utf8", 16, 16 + length));
  const text = Buffer.from(JSON.stringify(header));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, " ")]);
  const start = Buffer.from(bytes.subarray(0, 16));
  start.writeUInt32LE(1, 8);
  start.writeUInt32LE(padded.length, 12);
  const body = Buffer.concat([start, padded, bytes.subarray(16 + length, -32)]);
  const first = new Predictor(readArtifact(Buffer.concat([body, createHash("sha256").update(body).digest()])));
  const answer = ask("When will my card arrive please, today", first);
  expect(answer.output).toEqual({ intent: "card_arrival" });
  expect(answer.probability).toBeGreaterThan(0.5);
  expect(answer).not.toHaveProperty("novelty");
});

it("calls what half of the examples are familiar, and lets none of the classes rise only where novelty is extreme", () => {
  const familiarity = { typical: 0.2, high: 0.4 };
  expect([0, 0.2, 0.4, 0.6, 1].map((strange) => noveltyOf(strange, familiarity))).toEqual([
    0,
    0,
    expect.closeTo(0.5),
    expect.closeTo(1),
    1,
  ]);
  expect([0, 0.5, 0.75].map(noneOf)).toEqual([0, 0, 0]);
  expect(noneOf(1)).toBe(0.9);
});
