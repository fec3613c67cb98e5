// The table of operations, for command lines and documentation. Programs that only call the service do without it.
export { type OperationId, operations } from "./generated/operations.ts";
export type { OperationAnswer, OperationBody, OperationEntry, OperationValue, ValueType } from "./operation.ts";
