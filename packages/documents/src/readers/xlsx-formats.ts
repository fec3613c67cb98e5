import { format, isDateFormat } from "numfmt";
import { readXml } from "./xml.ts";

/** The formats that a workbook names by number alone (ECMA-376, 18.8.30). What depends on the reader's country is a date by ISO 8601. */
const builtIn: Readonly<Record<number, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  12: "# ?/?",
  13: "# ??/??",
  14: "yyyy-mm-dd",
  15: "d-mmm-yy",
  16: "d-mmm",
  17: "mmm-yy",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  22: "yyyy-mm-dd h:mm",
  37: "#,##0 ;(#,##0)",
  38: "#,##0 ;(#,##0)",
  39: "#,##0.00;(#,##0.00)",
  40: "#,##0.00;(#,##0.00)",
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mmss.0",
  48: "##0.0E+0",
  49: "@",
};
/** A longer format is none that a person wrote. */
const LONGEST_FORMAT = 255;
/** Days between the two calendars of workbooks, which begin in 1900 and 1904. */
const DAYS_TO_1904 = 1462;

/** What a number looks like in a cell of a style. */
export type NumberText = (value: number, style: number) => string;

/** The number formats of a workbook's styles. */
export function numberTexts(styles: Buffer | undefined, isFrom1904: boolean): NumberText {
  const formats = styles === undefined ? [] : formatsOf(styles);
  return (value, style) => {
    const pattern = formats[style] ?? "General";
    if (pattern === "General" && Number.isSafeInteger(value) && Math.abs(value) < 1e11) return String(value);
    return text(isFrom1904 && isDateFormat(pattern) ? value + DAYS_TO_1904 : value, pattern);
  };
}

function text(value: number, pattern: string): string {
  try {
    return format(pattern, value, { dateErrorThrows: true }).trim();
  } catch {
    return String(value);
  }
}

/** The format of each style of cells, by its number. */
function formatsOf(styles: Buffer): string[] {
  const own = new Map<number, string>();
  const formats: string[] = [];
  let inCells = false;
  readXml(styles, {
    open(name, { numFmtId, formatCode = "" }) {
      if (name === "cellXfs") inCells = true;
      const id = Number(numFmtId ?? 0);
      if (name === "numFmt" && formatCode.length <= LONGEST_FORMAT) own.set(id, formatCode);
      if (name === "xf" && inCells) formats.push(own.get(id) ?? builtIn[id] ?? "General");
    },
    close(name) {
      if (name === "cellXfs") inCells = false;
    },
  });
  return formats;
}
