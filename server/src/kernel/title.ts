import { parsePointer, resolvePointer } from "@aos/strict-json";

// What something is about, in one line, from a template and the input: `Refund {{order_id}} · {{amount | money}}`.

/** Most characters of a template, and of a title. */
export const TITLE_LIMITS = { template: 200, title: 120 } as const;

const PLACE = /\{\{\s*([^{}|]+?)\s*(?:\|\s*([^{}|]*?)\s*)?\}\}/gu;
/** Characters that show nothing, or turn what stands around them, and halves of characters. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;
const ABSENT = "–";

const whole = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });
const cents = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const plain = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 });
const share = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });

/** How a value may be written. One that a formatter is not made for is written as it is. */
const formatters: Readonly<Record<string, (value: string | number | boolean) => string>> = {
  money: (value) => numeric(value, (amount) => (Number.isInteger(amount) ? whole : cents).format(amount)),
  number: (value) => numeric(value, (amount) => plain.format(amount)),
  percent: (value) => numeric(value, (amount) => share.format(amount)),
  date: (value) => /^\d{4}-\d{2}-\d{2}(?=T|$)/.exec(String(value))?.[0] ?? String(value),
  upper: (value) => String(value).toUpperCase(),
};
export const titleFormats: readonly string[] = Object.keys(formatters);

function numeric(value: string | number | boolean, write: (amount: number) => string): string {
  const amount = typeof value === "string" && /^-?\d{1,15}(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof amount === "number" ? write(amount) : String(value);
}

/** A field that a template takes. */
export interface TitlePlace {
  /** The way to it from the input's root. */
  readonly path: readonly string[];
  /** As it is written. */
  readonly field: string;
  readonly format: string | null;
}

/** The fields that a template takes, and whether braces stand there that belong to none. */
export function readTitle(template: string): { readonly places: readonly TitlePlace[]; readonly broken: boolean } {
  const places: TitlePlace[] = [];
  let broken = false;
  const rest = template.replaceAll(PLACE, (_place, field: string, format: string | undefined) => {
    const path = parsePointer(pointerOf(field));
    if (path === null || path.length === 0) broken = true;
    else places.push({ path, field, format: format ?? null });
    return "";
  });
  return { places, broken: broken || /[{}]/.test(rest) };
}

/**
 * The title of an input by its template; null where there is none, or none of the fields that it takes has a value. What is absent, or no single value, is a dash. Never
 * throws, and is one line of at most 120 characters that all show.
 */
export function titleOf(template: string | undefined, input: unknown): string | null {
  if (template === undefined) return null;
  let places = 0;
  let found = 0;
  const text = template.replaceAll(PLACE, (_place, field: string, format: string | undefined) => {
    places += 1;
    const value = resolvePointer(input, pointerOf(field));
    const shown = isSingle(value) ? shownText(value, format) : "";
    if (shown === "") return ABSENT;
    found += 1;
    return shown;
  });
  const title = shortened(text.replaceAll(HIDDEN, "").replaceAll(/\s+/gu, " ").trim());
  return title === "" || (places > 0 && found === 0) ? null : title;
}

const isSingle = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value);

function shownText(value: string | number | boolean, format: string | undefined): string {
  // More of a long text is cut off in the end, and is not looked at.
  const bounded = typeof value === "string" ? value.slice(0, 4 * TITLE_LIMITS.title) : value;
  const write = format !== undefined && Object.hasOwn(formatters, format) ? formatters[format] : undefined;
  return (write?.(bounded) ?? String(bounded)).replaceAll(HIDDEN, " ").trim();
}

function shortened(text: string): string {
  if (text.length <= TITLE_LIMITS.title) return text;
  const characters = [...text];
  return characters.length <= TITLE_LIMITS.title
    ? text
    : `${characters
        .slice(0, TITLE_LIMITS.title - 1)
        .join("")
        .trimEnd()}…`;
}

/** `customer/name` is written for `/customer/name`. */
const pointerOf = (field: string): string => (field.startsWith("/") ? field : `/${field}`);
