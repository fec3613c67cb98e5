/** A number with its noun: `1 example`, `2 examples`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
