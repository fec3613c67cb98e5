/** Validation of what comes in: bodies (never coerced), schemas of users, query strings (read by type). */
export type { BodyFault } from "./json-schema-faults.ts";
export { compileQuery, type ParameterFault, type QueryValidator } from "./query-schema.ts";
export {
  compileSchema,
  compileUserSchema,
  type JsonSchema,
  type UserSchemaResult,
  type Validator,
} from "./schema-compiler.ts";
export { USER_FORMATS, USER_SCHEMA_LIMITS } from "./user-schema.ts";
