/** A finding of a scan, as people read it. */
export interface Finding {
  readonly key: string;
  readonly level: "error" | "warning" | "note";
  readonly title: string;
  readonly message: string;
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly snippet: string | null;
}

interface Result {
  readonly ruleId?: string;
  readonly level?: string;
  readonly message?: { readonly text?: string };
  readonly locations?: readonly {
    readonly physicalLocation?: {
      readonly artifactLocation?: { readonly uri?: string };
      readonly region?: {
        readonly startLine?: number;
        readonly startColumn?: number;
        readonly snippet?: { readonly text?: string };
      };
    };
  }[];
}
interface Run {
  readonly tool?: {
    readonly driver?: {
      readonly rules?: readonly { readonly id?: string; readonly shortDescription?: { readonly text?: string } }[];
    };
  };
  readonly results?: readonly Result[];
}

const order = ["error", "warning", "note"] as const;

/** The findings of a SARIF log, errors first. */
export function findingsOf(sarif: Readonly<Record<string, unknown>>): Finding[] {
  const runs = Array.isArray(sarif.runs) ? (sarif.runs as readonly Run[]) : [];
  const found = runs.flatMap((run) => {
    const titles = new Map(run.tool?.driver?.rules?.map(({ id, shortDescription }) => [id, shortDescription?.text]));
    return (run.results ?? []).map((result) => findingOf(result, titles.get(result.ruleId)));
  });
  return found
    .sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level))
    .map((finding, at) => ({ ...finding, key: `${at}` }));
}

function findingOf({ ruleId = "", level, message, locations }: Result, title = ruleId): Omit<Finding, "key"> {
  const place = locations?.[0]?.physicalLocation;
  return {
    level: order.find((one) => one === level) ?? "warning",
    title: title.replace(/[.]$/, ""),
    message: message?.text ?? "",
    path: decoded(place?.artifactLocation?.uri ?? ""),
    line: place?.region?.startLine ?? null,
    column: place?.region?.startColumn ?? null,
    snippet: place?.region?.snippet?.text ?? null,
  };
}

function decoded(uri: string): string {
  try {
    return decodeURI(uri);
  } catch {
    return uri;
  }
}
