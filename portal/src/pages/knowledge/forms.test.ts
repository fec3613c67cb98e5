import { expect, it } from "vitest";
import { connectorBody } from "./connector-kinds.ts";
import { questionsIn } from "./questions.ts";

it("takes questions as lines, JSON lines or JSON, and names the line that has no answer", () => {
  const questions = [
    { question: "how long; exactly?", expected: ["returns"] },
    { question: "who pays", expected: ["returns", "shipping"] },
  ];
  expect(questionsIn("# mine\nhow long; exactly?\treturns\n\nwho pays\treturns, shipping\n")).toEqual(questions);
  expect(questionsIn("how long; exactly?;returns\nwho pays;returns shipping")).toEqual(questions);
  expect(questionsIn(questions.map((one) => JSON.stringify(one)).join("\n"))).toEqual(questions);
  expect(questionsIn(JSON.stringify(questions))).toEqual(questions);
  expect(() => questionsIn("who pays\treturns\nhow long?")).toThrow(/Line 2/);
  expect(() => questionsIn('{"question": "who pays"}')).toThrow(/Question 1/);
});

it("puts what was filled in for a connector at its place, and leaves out what was not", () => {
  const form = new FormData();
  for (const [name, value] of Object.entries({
    name: "articles",
    "source.host": "db.example.com",
    "source.port": "6432",
    "source.columns.id": "id",
    "source.columns.title": "",
    "credentials.user": "reader",
    "source.include": "ignored: no field of this kind",
    cron: "",
  }))
    form.append(name, value);
  expect(connectorBody("postgres", form)).toEqual({
    kind: "postgres",
    name: "articles",
    source: { host: "db.example.com", port: 6432, columns: { id: "id" } },
    credentials: { user: "reader" },
  });
});

it("puts the parts of a JSON API and its connection at their places, and leaves out a choice of nothing", () => {
  const form = new FormData();
  for (const [name, value] of Object.entries({
    name: "articles",
    connection: "api",
    "source.url": "https://api.example.com/articles",
    "source.id": "id",
    "source.pages.by": "cursor",
    "source.pages.cursor": "next",
    "source.media_type": "",
    "source.fields": "team.name, updated_at",
    "source.since.parameter": "since",
  }))
    form.append(name, value);
  expect(connectorBody("json-api", form)).toEqual({
    kind: "json-api",
    name: "articles",
    connection: "api",
    source: {
      url: "https://api.example.com/articles",
      id: "id",
      pages: { by: "cursor", cursor: "next" },
      fields: ["team.name", "updated_at"],
      since: { parameter: "since" },
    },
  });
});
