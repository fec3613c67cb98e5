import { hasAtMost } from "@aos/text";
import type { PolicyFault } from "./policy.ts";

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const isText = (value: unknown, most: number): value is string =>
  typeof value === "string" && value.length > 0 && hasAtMost(most, value);

/** Collects faults of one policy. */
export class Faults {
  readonly list: PolicyFault[] = [];

  add(pointer: string, code: string, detail: string): void {
    this.list.push({ pointer, code, detail });
  }

  /** A list of texts, each of which passes `test`; absent is fine. */
  texts(pointer: string, value: unknown, most: number, test: (text: string) => boolean, rule: string): void {
    if (!Array.isArray(value)) {
      this.add(pointer, "invalid_type", `${pointer} must be a list of texts.`);
      return;
    }
    if (value.length > most)
      this.add(pointer, "too_many", `${pointer} has ${value.length} members; at most ${most} are allowed.`);
    value.forEach((text, i) => {
      if (typeof text !== "string" || !test(text))
        this.add(`${pointer}/${i}`, "invalid_value", `${pointer}/${i} must be ${rule}.`);
    });
  }

  unknownMembers(pointer: string, value: Record<string, unknown>, known: readonly string[]): void {
    for (const name of Object.keys(value)) {
      if (known.includes(name)) continue;
      const remedy = known.length > 0 ? `Known: ${known.join(", ")}.` : "It takes none.";
      this.add(
        `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
        "unknown_member",
        `${name} is not a member here. ${remedy}`,
      );
    }
  }
}
