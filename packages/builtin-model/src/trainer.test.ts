import { expect, it } from "vitest";
import { digestOf, readArtifact } from "./artifact-format.ts";
import type { TrainingExample, TrainingResult } from "./contract.ts";
import { examine } from "./examine.ts";
import { leadSchema, leads } from "./examples.fixture.ts";
import { fit } from "./fit.ts";
import { createTrainer, TrainingRefused } from "./trainer.ts";
import { yardstickOf } from "./yardstick.ts";

const trainer = createTrainer();
const request = { output: leadSchema, train: leads(300, 1), heldOut: leads(100, 2), seed: 7 };
const quiet = { signal: new AbortController().signal, progress: () => undefined };
const shares: number[] = [];
/** One training that several tests look at: a thread takes a while to start. */
const training = trainer.train(request, { ...quiet, progress: (share) => void shares.push(share) });
/** The yardstick that a training by these examples draws. */
const by = (schema: object, learnt: readonly TrainingExample[], heldOut: readonly TrainingExample[]) =>
  yardstickOf(schema, learnt.map(outputOf), heldOut.map(outputOf));
const outputOf = ({ output }: TrainingExample) => output;
const fieldOf = (result: TrainingResult, field: string) => result.fields.find((one) => one.field === field);

it("learns booleans, enumerations and numbers, nested ones too, and measures them on what was held out", async () => {
  const result = await training;
  expect(fieldOf(result, "/qualified")).toMatchObject({ kind: "boolean", n_train: 300, n_held_out: 100 });
  expect(fieldOf(result, "/qualified")?.accuracy).toBeGreaterThan(0.9);
  expect(fieldOf(result, "/qualified")?.auc).toBeGreaterThan(0.9);
  expect(fieldOf(result, "/team")?.accuracy).toBeGreaterThan(0.9);
  expect(fieldOf(result, "/deal/value")?.mean_absolute_error).toBeLessThan(800);
  expect(result.heldOut).toHaveLength(100);
  expect(result.heldOut[0]?.output).toMatchObject({ team: expect.any(String), deal: { value: expect.any(Number) } });
});

it("states probabilities of being right that hold on average", async () => {
  const { heldOut } = await training;
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const right = mean(heldOut.map(({ correct }) => (correct ? 1 : 0)));
  expect(Math.abs(mean(heldOut.map(({ probability }) => probability ?? Number.NaN)) - right)).toBeLessThan(0.12);
});

it("gives the same bytes for the same examples and seed, other ones for another seed, and learns nothing from what is held out", async () => {
  const one = await training;
  const same = await trainer.train({ ...request, heldOut: [] }, quiet);
  const other = fit(request.output, request.train, 8, () => undefined);
  expect(same.digest).toBe(one.digest);
  expect(digestOf(one.artifact)).toBe(one.digest);
  expect(digestOf(other)).not.toBe(one.digest);
});

it("measures an artifact later as it was measured when it was trained", async () => {
  const { artifact, heldOut, yardstick } = await training;
  expect(await trainer.evaluate(artifact, leadSchema, request.heldOut, yardstick)).toEqual(heldOut);
});

it("says that the untrained model has nothing right", () => {
  expect(examine(null, leadSchema, request.heldOut, by(leadSchema, request.train, request.heldOut)).heldOut[0]).toEqual(
    {
      output: {},
      correct: false,
      probability: 0,
    },
  );
});

it("asks nothing of a field that an example answers with null or not at all", () => {
  const artifact = readArtifact(fit(leadSchema, leads(60, 1), 1, () => undefined));
  const [{ input, records }] = leads(1, 2) as [TrainingExample];
  const examples = [{ qualified: null }, { qualified: null, team: "other" }].map((output) => ({
    input,
    records,
    output,
  }));
  const { heldOut, fields } = examine(artifact, leadSchema, examples, by(leadSchema, leads(60, 1), examples));
  expect(heldOut.map(({ correct }) => correct)).toEqual([null, false]);
  expect(heldOut[0]).toMatchObject({ output: { team: expect.any(String) }, probability: null });
  expect(fields.map(({ n_held_out }) => n_held_out)).toEqual([0, 1, 0]);
});

it("judges two models that are equally far off alike, however their own examples were spread", () => {
  const output = { type: "object", properties: { price: { type: "number" } } };
  const about = (half: number) =>
    Array.from({ length: 40 }, (_, n) => ({
      input: { of: "all" },
      records: {},
      output: { price: n % 2 ? 100 + half : 100 - half },
    }));
  const models = [1, 40].map((half) => readArtifact(fit(output, about(half), 1, () => undefined)));
  const heldOut = [{ input: { of: "all" }, records: {}, output: { price: 105 } }];
  const marks = (half: number) =>
    models.map((model) => examine(model, output, heldOut, by(output, about(half), heldOut)).heldOut[0]?.correct);
  expect(marks(40)).toEqual([true, true]);
  expect(marks(1)).toEqual([false, false]);
});

it("asks of every model the texts that come like names of classes, also of one that did not learn them", () => {
  const output = { type: "object", properties: { ok: { type: "boolean" }, reason: { type: "string" } } };
  const example = (n: number, reason: string) => ({
    input: { n: n % 2 },
    records: {},
    output: { ok: n % 2 === 0, reason },
  });
  const free = Array.from({ length: 40 }, (_, n) => example(n, `because of ${n}`));
  const named = Array.from({ length: 40 }, (_, n) => example(n, n % 2 ? "odd" : "even"));
  const heldOut = named.slice(0, 2);
  const asked = by(output, named, heldOut);
  expect(asked.map(({ field }) => field)).toEqual(["/ok", "/reason"]);
  const marks = [free, named].map((learnt) => {
    const model = readArtifact(fit(output, learnt, 1, () => undefined));
    return examine(model, output, heldOut, asked).heldOut.map(({ correct }) => correct);
  });
  expect(marks).toEqual([
    [false, false],
    [true, true],
  ]);
});

it("judges a number by the spread of what is learnt from, or of what is held out where nothing is, and by what either shows where the schema names no field", () => {
  const output = { type: "object", properties: { price: { type: "number" } } };
  const prices = (...list: number[]) => list.map((price) => ({ input: {}, records: {}, output: { price } }));
  expect(by(output, prices(0, 8), prices(0, 80))).toEqual([{ field: "/price", kind: "number", tolerance: 1 }]);
  expect(by(output, [], prices(0, 80))).toEqual([{ field: "/price", kind: "number", tolerance: 10 }]);
  const free = [{ input: {}, records: {}, output: { "a/b": "x", much: 4 } }];
  expect(by({ type: "object" }, [...free, ...free, ...free], prices(2, 4))).toEqual([
    { field: "/a~1b", kind: "class", tolerance: 0 },
    { field: "/much", kind: "number", tolerance: 0.25 },
    { field: "/price", kind: "number", tolerance: 0.25 },
  ]);
});

it("learns texts that repeat like names of classes, and leaves free texts alone", () => {
  const output = { type: "object", properties: { route: { type: "string" }, reason: { type: "string" } } };
  const example = (at: number) => {
    const card = at % 2 === 0;
    return {
      input: { text: card ? `my card number ${at} is lost` : `the transfer ${at} did not arrive` },
      records: {},
      output: { route: card ? "cards" : "transfers", reason: `because of sentence ${at}` },
    };
  };
  const train = Array.from({ length: 40 }, (_, at) => example(at));
  const heldOut = [example(100), example(101)];
  const result = examine(
    readArtifact(fit(output, train, 1, () => undefined)),
    output,
    heldOut,
    by(output, train, heldOut),
  );
  expect(result.fields.map(({ field }) => field)).toEqual(["/route"]);
  expect(result.heldOut.map((one) => one.output)).toEqual([{ route: "cards" }, { route: "transfers" }]);
});

it("is no more certain than the number of its examples allows", () => {
  const output = { type: "object", properties: { ok: { type: "boolean" } } };
  const train = [1, 2, 3].map((n) => ({ input: { n }, records: {}, output: { ok: true } }));
  const artifact = readArtifact(fit(output, train, 1, () => undefined));
  const asked = [{ input: { n: 1 }, records: {}, output: { ok: false } }];
  expect(examine(artifact, output, asked, by(output, train, asked)).heldOut).toEqual([
    { output: { ok: true }, correct: false, probability: 0.8 },
  ]);
});

it("tells how far it is, never backwards", async () => {
  await training;
  expect(shares.length).toBeGreaterThan(5);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
});

it("ends when it is aborted, with the signal's reason", async () => {
  const stop = new AbortController();
  const reason = new Error("stopped by a person");
  const stopped = trainer.train(request, { signal: stop.signal, progress: () => stop.abort(reason) });
  await expect(stopped).rejects.toBe(reason);
  await expect(trainer.train(request, { ...quiet, signal: stop.signal })).rejects.toBe(reason);
});

it("says what is missing when the examples teach nothing", () => {
  const free = { type: "object", properties: { reason: { type: "string" } } };
  const train = [{ input: {}, records: {}, output: { reason: "so" } }];
  expect(() => fit(free, train, 1, () => undefined)).toThrow("there is nothing to learn");
  expect(() => fit(leadSchema, [], 1, () => undefined)).toThrow("There are no examples to learn from");
});

it("tells what a thread refuses to people", async () => {
  await expect(trainer.evaluate(Uint8Array.of(1, 2, 3), leadSchema, [], [])).rejects.toThrow(
    new TrainingRefused("These bytes are no artifact of the built-in model."),
  );
});

it("keeps a model of three fields within a few kilobytes per hundred features", async () => {
  const { artifact } = await training;
  const { vocabulary } = readArtifact(artifact);
  expect(artifact.length).toBeLessThan(vocabulary.hashes.length * 32 + 8_192);
});
