import { describe, expect, it } from "vitest";
import { createExposition } from "./exposition.ts";
import { createMeter } from "./meter.ts";

const spec = (name: string, ...labels: string[]) => ({ name, help: "For a test.", labels });
const samplesOf = async (meter: ReturnType<typeof createMeter>, name: string) => {
  const samples = await meter.gathered.find((one) => one.spec.name === name)?.samples();
  return samples?.map((sample) => [sample.metricName, sample.labels, sample.value]);
};

describe("a counter", () => {
  it("adds up by the values of its labels", async () => {
    const meter = createMeter();
    const counter = meter.counter(spec("aos_things_total", "kind", "state"));
    counter.add(["a", "b"]);
    counter.add(["a", "b"], 2.5);
    counter.add(["ab", ""]);
    expect(await samplesOf(meter, "aos_things_total")).toEqual([
      ["aos_things_total", { kind: "a", state: "b" }, 3.5],
      ["aos_things_total", { kind: "ab", state: "" }, 1],
    ]);
  });

  it("never falls", async () => {
    const meter = createMeter();
    const counter = meter.counter(spec("aos_things_total"));
    counter.add([], -1);
    counter.add([], Number.NaN);
    expect(await samplesOf(meter, "aos_things_total")).toEqual([["aos_things_total", {}, 0]]);
  });

  it("keeps so many sets of labels, and counts what comes beyond as other", async () => {
    const meter = createMeter();
    const counter = meter.counter({ ...spec("aos_things_total", "kind"), most: 3 });
    for (let n = 0; n < 1000; n++) counter.add([`kind ${n}`]);
    counter.add(["kind 1"]);
    expect(await samplesOf(meter, "aos_things_total")).toEqual([
      ["aos_things_total", { kind: "kind 0" }, 1],
      ["aos_things_total", { kind: "kind 1" }, 2],
      ["aos_things_total", { kind: "kind 2" }, 1],
      ["aos_things_total", { kind: "other" }, 997],
    ]);
  });
});

describe("a histogram", () => {
  it("sums its buckets up, with a value on a bound below it", async () => {
    const meter = createMeter();
    const histogram = meter.histogram({ ...spec("aos_size", "kind"), buckets: [1, 5] });
    for (const value of [0.5, 1, 5, 7]) histogram.observe(["a"], value);
    expect(await samplesOf(meter, "aos_size")).toEqual([
      ["aos_size_bucket", { kind: "a", le: "1" }, 2],
      ["aos_size_bucket", { kind: "a", le: "5" }, 3],
      ["aos_size_bucket", { kind: "a", le: "+Inf" }, 4],
      ["aos_size_sum", { kind: "a" }, 13.5],
      ["aos_size_count", { kind: "a" }, 4],
    ]);
  });
});

describe("a gauge that cannot be read", () => {
  it("is left out, told of, and keeps no other from being answered", async () => {
    const meter = createMeter();
    meter.gauge(spec("aos_broken"), () => Promise.reject(new Error("gone")));
    meter.gauge(spec("aos_sound", "kind"), () => [[["a"], 7]]);
    const failed: string[] = [];
    const { text } = await createExposition(meter.gathered, (name) => failed.push(name))();
    expect(failed).toEqual(["aos_broken"]);
    expect(text).toContain('aos_sound{kind="a"} 7\n');
    expect(text).not.toMatch(/^aos_broken/m);
  });
});

describe("a metric", () => {
  it.each([spec("other_total"), spec("aos_size", "le"), spec("aos_size", "kind", "Task-Id")])(
    "%# with a wrong name is not entered",
    (wrong) => {
      expect(() => createMeter().counter(wrong)).toThrow("has an invalid name");
    },
  );

  it("is entered once", () => {
    const meter = createMeter();
    meter.counter(spec("aos_things_total"));
    expect(() => meter.gauge(spec("aos_things_total"), () => [])).toThrow("entered twice");
  });

  it("wants a value for each of its labels", () => {
    const counter = createMeter().counter(spec("aos_things_total", "kind"));
    expect(() => counter.add([])).toThrow(TypeError);
  });
});
