import { expect, it } from "vitest";
import { languageFor, languageOfText } from "./languages.ts";
import { smallTalkIn } from "./small-talk.ts";

it.each([
  [
    "greeting",
    ["Hello", "hi there!", "Good morning", "Hallo zusammen", "Guten Tag", "Bonjour !", "¡Hola!", "こんにちは"],
  ],
  [
    "thanks",
    [
      "Thanks a lot!",
      "ok thank you",
      "Vielen Dank",
      "Danke, super",
      "Merci beaucoup",
      "Muchas gracias",
      "ありがとうございます",
    ],
  ],
  [
    "person",
    [
      "a person, please",
      "I want to talk to a human",
      "Can I speak with someone?",
      "connect me to an agent",
      "Give me a real person now!",
      "Ich möchte mit einem Menschen sprechen",
      "Bitte einen Menschen",
      "Ich will einen Mitarbeiter sprechen",
      "Je voudrais parler à une personne",
      "Je voudrais parler a quelqu’un",
      "Quiero hablar con una persona",
      "担当者と話したい",
      "オペレーターにつないでください",
    ],
  ],
] as const)("takes for %s what says no more than that, in five languages", (kind, texts) => {
  for (const text of texts) expect([text, smallTalkIn(text)]).toEqual([text, kind]);
});

it.each([
  "Hello, where is my parcel?",
  "Danke, aber wie lange dauert das?",
  "How many persons may travel on one ticket?",
  "Can a person under 18 open an account?",
  "What does your agent do with my data?",
  "Merci de me dire quand le colis arrive",
  "¿Cuántas personas caben en la sala?",
  "",
])("leaves a question a question: %s", (text) => {
  expect(smallTalkIn(text)).toBeNull();
});

it("answers in the conversation's language, else in that of the question, else in English", () => {
  expect(languageFor("fr-CA", "Where is my parcel?")).toBe("fr");
  expect(languageFor(null, "Wo ist meine Bestellung?")).toBe("de");
  expect(languageFor("sv", "¿Dónde está mi pedido?")).toBe("es");
  expect(languageFor(null, "荷物はどこですか")).toBe("ja");
  expect(languageFor(undefined, "max_wal_size")).toBe("en");
  expect(languageOfText("42")).toBeNull();
});
