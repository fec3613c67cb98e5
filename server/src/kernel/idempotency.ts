import { Type } from "typebox";

/** How long an answer is kept for repetition under its Idempotency-Key, in milliseconds. */
export const keptFor = 24 * 60 * 60 * 1000;

/** The member by which an answer says that it lacks its secret. */
export const SecretWithheld = Type.Optional(
  Type.Literal(true, {
    description:
      "The call was repeated with its Idempotency-Key: what it made is there, but the secret was shown in the first answer and is kept nowhere. Absent otherwise.",
  }),
);
