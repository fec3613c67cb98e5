import { expect, it } from "vitest";
import { chosen } from "./assign.ts";
import { filledReply } from "./saved-replies.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 9, minute));
const loads = [
  { member: "anna", open: 2, last: at(1) },
  { member: "ben", open: 0, last: at(5) },
  { member: "cleo", open: 0, last: at(3) },
];

it("assigns in turn to who was assigned one longest ago, or to who has the fewest", () => {
  expect(chosen(loads, "round_robin")).toBe("anna");
  expect(chosen(loads, "least_loaded")).toBe("cleo");
  expect(chosen([...loads, { member: "dora", open: 5, last: null }], "round_robin")).toBe("dora");
  expect(chosen([], "round_robin")).toBeNull();
});

it("fills placeholders of saved replies, leaves none behind, and reads none from what it fills in", () => {
  const text = "Hello {{user}}, {{ team }} has order {{context.order}}{{context.missing}}. {{me}} {{conversation}}";
  const values = { user: "{{me}}", me: "Anna", team: "Billing", conversation: "Title", context: { order: 4711 } };
  expect(filledReply({ name: "a", title: "A", text }, values).text).toBe(
    "Hello {{me}}, Billing has order 4711. Anna Title",
  );
});
