type Told = Readonly<Record<string, unknown>>;

/** A task with its predictions in a line for each field, `card_linking 93.1 %, card_arrival 3 %`; anything else as it is. */
export function withPredictions(body: unknown): unknown {
  if (!isObject(body) || !isObject(body.predictions)) return body;
  const fields = Object.entries(body.predictions).map(([field, values]) => [
    field,
    Array.isArray(values) ? values.map(lineOf) : values,
  ]);
  return { ...body, predictions: Object.fromEntries(fields) };
}

function lineOf(one: unknown): string {
  const { value, probability, none } = (isObject(one) ? one : {}) as {
    value?: unknown;
    probability?: number;
    none?: boolean;
  };
  const share = Math.round((probability ?? 0) * 1000) / 10;
  return `${none ? "none of these" : String(value)} ${share} %`;
}

function isObject(value: unknown): value is Told {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
