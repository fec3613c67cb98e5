import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../kernel/schema-words.ts";
import { TimeZone } from "./window-schemas.ts";

// What a month's bill says.

export const chargebackQuery = Type.Object(
  {
    month: Type.Optional(
      Type.String({
        pattern: "^20\\d{2}-(0[1-9]|1[0-2])$",
        description: "Of the years 2000 to 2099, such as `2026-10`; default: the present month.",
      }),
    ),
    time_zone: Type.Optional(TimeZone),
    by: Type.Optional(
      Type.String({
        pattern: "^(agent|key|member|label:.+)$",
        description: "Who is charged: `agent`, `key`, `member`, or a declared label, `label:<name>`. Default `member`.",
      }),
    ),
  },
  closed,
);
export const ChargebackLine = Type.Object({
  value: nullable(Type.String(), "The agent, key, member or label's value; `other`: beyond the limit; null: none."),
  name: nullable(Type.String(), "What it is called, where the value is an id; null: as the value says."),
  tasks: Type.Integer(),
  tokens: Type.Integer(),
  cost_usd: Type.Number(),
  cost_microusd: Type.Integer({ description: "Millionths of a US dollar: the lines sum exactly to the total." }),
  share: nullable(Type.Number(), "Of the total; null: nothing was spent."),
  link: nullable(Type.String(), "Where its tasks are listed; null where no list tells them apart."),
});
export const Chargeback = Type.Object(
  {
    month: Type.String(),
    from: Time,
    to: Time,
    time_zone: Type.String(),
    by: Type.String(),
    complete: Type.Boolean({ description: "False: the month is not over, or tasks of it are still open." }),
    as_of: Time,
    currency: Type.Literal("USD"),
    lines: Type.Array(ChargebackLine, { description: "Most expensive first." }),
    total: Type.Object({
      tasks: Type.Integer(),
      tokens: Type.Integer(),
      cost_usd: Type.Number(),
      cost_microusd: Type.Integer(),
    }),
    outside: Type.Object(
      { cost_usd: Type.Number(), cost_microusd: Type.Integer(), entries: Type.Integer() },
      { description: "Spent in the month outside of tasks, such as by evaluations and training; not part of `total`." },
    ),
  },
  { description: "A month's bill. A task counts in the month in which it was dispatched." },
);
export type Chargeback = Static<typeof Chargeback>;
