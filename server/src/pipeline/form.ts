import { refuse } from "../kernel/errors.ts";
import type { SealedSpec } from "../kernel/operation-seal.ts";
import { notAcceptable } from "../kernel/problems.ts";

/** The representation in which a call is answered. */
export type Form =
  | { readonly kind: "json" }
  | { readonly kind: "written"; readonly type: string }
  | { readonly kind: "streamed"; readonly type: string };

const json: Form = { kind: "json" };

/** Whether the representation depends on `Accept` at all. */
export function hasForms({ writes, streams }: SealedSpec): boolean {
  return writes !== undefined || streams !== undefined;
}

/**
 * Chooses by `Accept` (RFC 9110 section 12.5.1): for each representation the most specific range that covers it says its quality; the best one wins,
 * of equals the first in the order JSON, written, streamed. Without the header, and where none of it can be read, JSON. Throws `not_acceptable`,
 * which names what there is.
 */
export function chooseForm(spec: SealedSpec, accept: string | null): Form {
  const ranges = accept === null ? [] : rangesOf(accept);
  if (!hasForms(spec) || ranges.length === 0) return json;
  const forms: (readonly [type: string, form: Form])[] = [
    [spec.contentType ?? "application/json", json],
    ...Object.keys(spec.writes ?? {}).map((type) => [type, { kind: "written", type }] as const),
    ...Object.keys(spec.streams ?? {}).map((type) => [type, { kind: "streamed", type }] as const),
  ];
  let best: { form: Form; quality: number } | null = null;
  for (const [type, form] of forms) {
    const quality = qualityOf(type, ranges);
    if (quality > (best?.quality ?? 0)) best = { form, quality };
  }
  if (best) return best.form;
  throw refuse(
    notAcceptable,
    `This operation answers ${forms.map(([type]) => type).join(", ")}; Accept excludes all of them.`,
    {
      members: { acceptable: forms.map(([type]) => type) },
    },
  );
}

interface Range {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const mediaRange = new RegExp(`^(${token})/(${token})$`);
const weight = /^q[ \t]*=[ \t]*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;
const utf8 = /^charset[ \t]*=[ \t]*("?)utf-?8\1$/i;

/**
 * The ranges of the header; members that are not of its grammar are passed over. Our representations have no parameters but their charset, so a range
 * with any other covers none of them.
 */
function rangesOf(accept: string): Range[] {
  return accept.split(",").flatMap((member) => {
    const [range = "", ...parameters] = member.split(";").map((part) => part.trim());
    const match = mediaRange.exec(range);
    if (!match) return [];
    const [, type, subtype] = match as unknown as [string, string, string];
    if (type === "*" && subtype !== "*") return [];
    const weights = parameters.filter((one) => /^q[ \t]*=/i.test(one));
    const quality = weights.length === 0 ? "1" : weight.exec(weights[0] as string)?.[1];
    if (quality === undefined) return [];
    const others = parameters.filter((one) => one !== "" && !weights.includes(one) && !utf8.test(one));
    return [
      { type: type.toLowerCase(), subtype: others.length > 0 ? "" : subtype.toLowerCase(), quality: Number(quality) },
    ];
  });
}

/** The quality of a representation: that of the most specific range that covers it, 0 where none does. */
function qualityOf(mediaType: string, ranges: readonly Range[]): number {
  const [type, subtype] = mediaType.split("/");
  const of = (t: string | undefined, s: string | undefined): number | undefined =>
    ranges.find((range) => range.type === t && range.subtype === s)?.quality;
  return of(type, subtype) ?? of(type, "*") ?? of("*", "*") ?? 0;
}
