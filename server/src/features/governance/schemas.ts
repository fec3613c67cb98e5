export { Hold } from "../../kernel/hold.ts";
export * from "./budgets/schemas.ts";
export {
  AccountableContent,
  Confirmation,
  ConfirmBody,
  TakenOver,
  TakeOverBody,
} from "./confirmations/schemas.ts";
export * from "./kill-switches/schemas.ts";
export * from "./policies/check-schemas.ts";
export * from "./policies/schemas.ts";
