/** Validation of what comes in: bodies (never coerced), schemas of users, query strings (read by type). */

export {
  compileSchema,
  compileUserSchema,
  type JsonSchema,
  type UserSchemaResult,
  type Validator,
} from "./compiler.ts";
export type { BodyFault } from "./faults.ts";
export { compileLinearPattern, type LinearPattern, LONGEST_TEXT, PatternRefused } from "./linear-pattern.ts";
export { compileQuery, type ParameterFault, type QueryValidator } from "./query-schema.ts";
export { checkUserSchema, USER_FORMATS, USER_SCHEMA_LIMITS } from "./user-schema.ts";
