import { Type } from "typebox";

/** The largest PostgreSQL `integer`: the columns of versions, steps and revisions hold nothing larger. */
export const largestStoredInteger = 2 ** 31 - 1;

/** The number of a version or step as callers give it, from 1. */
export const ordinal = (description: string) =>
  Type.Integer({ minimum: 1, maximum: largestStoredInteger, description });
