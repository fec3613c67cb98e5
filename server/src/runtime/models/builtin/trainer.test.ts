import { expect, it } from "vitest";
import type { TrainingExample, TrainingResult } from "../../../kernel/trainer.ts";
import { digestOf, readArtifact } from "./artifact-format.ts";
import { examine } from "./examine.ts";
import { leadSchema, leads } from "./examples.fixture.ts";
import { fit } from "./fit.ts";
import { createTrainer, TrainingRefused } from "./trainer.ts";

const trainer = createTrainer();
const request = { output: leadSchema, train: leads(300, 1), heldOut: leads(100, 2), seed: 7 };
const quiet = { signal: new AbortController().signal, progress: () => undefined };
const shares: number[] = [];
/** One training that several tests look at: a thread takes a while to start. */
const training = trainer.train(request, { ...quiet, progress: (share) => void shares.push(share) });
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
  expect(Math.abs(mean(heldOut.map(({ probability }) => probability)) - right)).toBeLessThan(0.12);
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
  const { artifact, heldOut } = await training;
  expect(await trainer.evaluate(artifact, leadSchema, request.heldOut)).toEqual(heldOut);
});

it("says that the untrained model has nothing right", () => {
  expect(examine(null, leadSchema, request.heldOut).heldOut[0]).toEqual({ output: {}, correct: false, probability: 0 });
});

it("asks nothing of a field that an example answers with null or not at all", () => {
  const artifact = readArtifact(fit(leadSchema, leads(60, 1), 1, () => undefined));
  const [{ input, records }] = leads(1, 2) as [TrainingExample];
  const { heldOut, fields } = examine(artifact, leadSchema, [{ input, records, output: { qualified: null } }]);
  expect(heldOut[0]).toMatchObject({ correct: true, probability: 1 });
  expect(fields.map(({ n_held_out }) => n_held_out)).toEqual([0, 0, 0]);
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
  const result = examine(readArtifact(fit(output, train, 1, () => undefined)), output, [example(100), example(101)]);
  expect(result.fields.map(({ field }) => field)).toEqual(["/route"]);
  expect(result.heldOut.map((one) => one.output)).toEqual([{ route: "cards" }, { route: "transfers" }]);
});

it("is no more certain than the number of its examples allows", () => {
  const output = { type: "object", properties: { ok: { type: "boolean" } } };
  const train = [1, 2, 3].map((n) => ({ input: { n }, records: {}, output: { ok: true } }));
  const artifact = readArtifact(fit(output, train, 1, () => undefined));
  const asked = [{ input: { n: 1 }, records: {}, output: { ok: false } }];
  expect(examine(artifact, output, asked).heldOut).toEqual([{ output: { ok: true }, correct: false, probability: 0.8 }]);
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
  await expect(trainer.evaluate(Uint8Array.of(1, 2, 3), leadSchema, [])).rejects.toThrow(
    new TrainingRefused("These bytes are no artifact of the built-in model."),
  );
});

it("keeps a model of three fields within a few kilobytes per hundred features", async () => {
  const { artifact } = await training;
  const { vocabulary } = readArtifact(artifact);
  expect(artifact.length).toBeLessThan(vocabulary.hashes.length * 32 + 8_192);
});
