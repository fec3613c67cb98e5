/** How long an answer is kept for repetition under its Idempotency-Key, in milliseconds. */
export const keptFor = 24 * 60 * 60 * 1000;
