import { scanText } from "@aos/data-classes";

/** The classes of data in a text. */
export const classesIn = (text: string): string[] =>
  [...new Set(scanText(text).map(({ data_class }) => data_class))].sort();
