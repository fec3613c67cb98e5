/*
 * Country codes of ITU-T E.164 (list of assigned codes, annex to the Operational Bulletin), with the least and most digits that national
 * numbers have behind them, generously, after the national numbering plans that are notified under ITU-T E.129. Countries that share a code share its row.
 */
const table =
  "1:10 7:10 20:8-10 27:9 30:10 31:9-11 32:8-9 33:9 34:9 36:8-9 39:6-11 40:9 41:9 43:7-13 44:9-10 45:8 46:7-10 47:8 48:9 49:7-11 " +
  "51:8-9 52:10-11 53:6-8 54:10-11 55:10-11 56:9 57:8-10 58:10 60:8-10 61:9 62:8-12 63:8-10 64:8-10 65:8 66:8-9 81:9-10 82:8-11 84:9-10 86:10-11 90:10 91:10 92:9-10 93:9 94:9 " +
  "95:7-10 98:10 211:9 212:9 213:8-9 216:8 218:8-10 220:7 221:9 222:8 223:8 224:8-9 225:8-10 226:8 227:8 228:8 229:8-10 230:7-8 231:7-9 232:8 233:9 234:8-10 235:8 236:8 237:8-9 " +
  "238:7 239:7 240:9 241:7-8 242:9 243:9 244:9 245:7-9 246:7 247:4-5 248:7 249:9 250:9 251:9 252:7-9 253:8 254:9 255:9 256:9 257:8 258:8-9 260:9 261:9 262:9 263:8-9 264:8-9 " +
  "265:7-9 266:8 267:7-8 268:8 269:7 290:4-5 291:7 297:7 298:6 299:6 350:8 351:9 352:6-11 353:7-9 354:7-9 355:8-9 356:8 357:8 358:7-11 359:8-9 370:8 371:8 372:7-8 373:8 374:8 " +
  "375:9 376:6-9 377:8-9 378:6-10 380:9 381:8-9 382:8 383:8-9 385:8-9 386:8 387:8-9 389:8 420:9 421:9 423:7-9 500:5 501:7 502:8 503:8 504:8 505:8 506:8 507:7-8 508:6 509:8 " +
  "590:9 591:8 592:7 593:8-9 594:9 595:9 596:9 597:6-7 598:8 599:7-8 670:7-8 672:6 673:7 674:7 675:7-8 676:5-7 677:5-7 678:5-7 679:7 680:7 681:6 682:5 683:4-7 685:5-7 686:5-8 " +
  "687:6 688:5-6 689:6-8 690:4-7 691:7 692:7 800:8 808:8 850:8-10 852:8 853:8 855:8-9 856:8-10 870:9 878:10 880:8-10 881:8-12 882:7-12 883:7-12 886:8-9 888:11 960:7 961:7-8 962:8-9 " +
  "963:8-9 964:8-10 965:8 966:8-9 967:7-9 968:8 970:8-9 971:8-9 972:8-9 973:8 974:8 975:7-8 976:8 977:8-10 979:9 992:9 993:8 994:9 995:9 996:9 998:9";

/** Codes behind which a national number may begin with 0: Italy and San Marino since 1998, and plans of Africa. */
const leadingZero: ReadonlySet<string> = new Set(["39", "378", "225", "229", "241", "242"]);

interface Plan {
  readonly least: number;
  readonly most: number;
}

export const callingCodes: ReadonlyMap<string, Plan> = new Map(
  table.split(" ").map((entry) => {
    const [code = "", lengths = ""] = entry.split(":");
    const [least = "", most = least] = lengths.split("-");
    return [code, { least: Number(least), most: Number(most) }];
  }),
);

/** Whether digits, country code first, can be a telephone number: an assigned code and as many digits as numbers have there. */
export function isInternationalNumber(digits: string): boolean {
  for (const length of [1, 2, 3]) {
    const code = digits.slice(0, length);
    const plan = callingCodes.get(code);
    if (plan === undefined) continue;
    const national = digits.length - length;
    const first = digits[length];
    if (code === "1") return national === 10 && isNorthAmerican(digits);
    return national >= plan.least && national <= plan.most && (first !== "0" || leadingZero.has(code));
  }
  return false;
}

/** North American numbering plan: area and exchange begin with 2 to 9. */
function isNorthAmerican(digits: string): boolean {
  return digits.charCodeAt(1) >= 50 && digits.charCodeAt(4) >= 50;
}
