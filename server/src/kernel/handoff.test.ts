import { expect, it } from "vitest";
import { allowsHandoff, amountsIn, foundNoAnswer, isUpset, ruleForMessage, ruleForUnsure } from "./handoff.ts";

const asksForPerson = (message: string): boolean =>
  ruleForMessage({ rules: [{ when: "asked", team: "support" }] }, { message, situation: {} }) !== undefined;

it.each([
  "A person, please",
  "can I talk to a human?",
  "I want to speak to someone",
  "Ich möchte mit einem Mitarbeiter sprechen",
  "Kann ich mit jemandem reden?",
  "Je voudrais parler à quelqu’un",
  "Quiero hablar con una persona",
  "担当者と話したいです",
  "オペレーターをお願いします",
  "human",
])("hears that %s asks for a person", (text) => expect(asksForPerson(text)).toBe(true));

it.each([
  "How many persons fit in the car?",
  "Does the human resources page list holidays?",
  "Where is my order?",
  "Wie viele Mitarbeiter hat die Firma?",
])("hears no such wish in %s", (text) => expect(asksForPerson(text)).toBe(false));

it("hears anger in words, capitals and signs, not in an abbreviation", () => {
  const upset = ["This is UNACCEPTABLE", "WHERE IS MY PARCEL NOW", "Hello!!!", "Eine Frechheit", "ふざけるな"];
  expect(upset.every(isUpset)).toBe(true);
  expect(["My PDF is gone", "Thanks!", "OK"].some(isUpset)).toBe(false);
});

it("reads amounts as people write them", () => {
  expect(amountsIn("I paid $1,234.50 and then 1.234,50 € and EUR 20, order 4711")).toEqual([1234.5, 1234.5, 20]);
});

const file = {
  teams: [{ team: "support", for: "Everything else" }],
  rules: [
    { when: "value", team: "billing", above: 500 },
    { when: "value", team: "billing", field: "order_total", above: 500 },
    { when: "topic", team: "billing", keywords: ["refund", "返金"] },
    { when: "unsure", team: "support" },
  ],
} as const;
const teamFor = (message: string, situation = {}) => ruleForMessage(file, { message, situation })?.team;

it("takes the first rule that matches, by amount, field and topic", () => {
  expect(teamFor("I was charged 700 €")).toBe("billing");
  expect(teamFor("I was charged 400 €")).toBeUndefined();
  expect(teamFor("Hello", { order_total: 501 })).toBe("billing");
  expect(teamFor("Two Refunds, please")).toBe("billing");
  expect(teamFor("prefund")).toBeUndefined();
  expect(teamFor("返金してください")).toBe("billing");
});

it("hands over when unsure twice in a row, and what is unsure is a search that found no answer", () => {
  expect(ruleForUnsure(file, 0)).toBeUndefined();
  expect(ruleForUnsure(file, 1)?.team).toBe("support");
  const search = (outcome: "answered" | "unsure" | "nothing") => ({
    chunks: [],
    outcome,
    answered: outcome !== "nothing",
  });
  expect(foundNoAnswer([search("nothing")])).toBe(true);
  expect(foundNoAnswer([search("unsure"), search("nothing")])).toBe(true);
  expect(foundNoAnswer([search("unsure"), search("answered")])).toBe(false);
  expect(foundNoAnswer([])).toBe(false);
});

it("lets the agent choose among its own teams, and a rule none but its own", () => {
  const reason = "r";
  expect(allowsHandoff(file, { cause: "agent", team: "support", reason })).toBe(true);
  expect(allowsHandoff(file, { cause: "agent", team: "billing", reason })).toBe(false);
  expect(allowsHandoff(file, { cause: "topic", team: "support", reason })).toBe(false);
});
