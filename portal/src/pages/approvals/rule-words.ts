import type { Rule } from "../../api/approvals.ts";

const listed = (names: readonly string[]): string => names.join(", ");

/** What a rule is about, as a sentence. */
export function conditionText({
  agents,
  skills,
  tools,
  risk_at_least,
  data_class_at_least,
  amount,
}: Rule["when"]): string {
  const what = tools === undefined ? "Tasks" : tools.includes("*") ? "Calls of any tool" : `Calls of ${listed(tools)}`;
  const parts = [
    skills && `with the skill ${listed(skills)}`,
    agents && `of ${listed(agents)}`,
    risk_at_least && (risk_at_least === "critical" ? "at critical risk" : `at ${risk_at_least} risk or higher`),
    data_class_at_least && `with ${data_class_at_least} data or data protected more`,
    amount && `where ${amount.field} is above ${amount.above.toLocaleString("en")}`,
  ].filter((part) => part !== undefined);
  return `${[what, ...parts].join(" ")}.`;
}

/** When an approval of a rule ends, as a sentence; null: it sets no time. */
export function endText({ expires_in_seconds: seconds, on_expiry }: Rule["require"]): string | null {
  if (seconds === null) return null;
  const after = on_expiry === "escalate" ? "then admins decide" : "then it expires";
  return `People have ${lengthText(seconds)}; ${after}.`;
}

/** A length of time in whole units, the largest two: `1 d 4 h`. */
export function lengthText(seconds: number): string {
  const units = [
    [86_400, "d"],
    [3600, "h"],
    [60, "min"],
    [1, "s"],
  ] as const;
  let left = Math.round(seconds);
  const parts = units.flatMap(([size, word]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return parts.slice(0, 2).join(" ") || "0 s";
}
