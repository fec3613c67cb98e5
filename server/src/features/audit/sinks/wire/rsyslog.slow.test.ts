import { describe, expect, it } from "vitest";
import { selfSigned } from "../../../../outbound/certificate.fixture.ts";
import { useApp } from "../../../../testing/app.ts";
import type { BatchHead } from "../batch.ts";
import {
  createReceiverCheck,
  createSink,
  handsOf,
  makeRecords,
  readSink,
  type TakenRecord,
  untilAllSequenced,
  workOn,
} from "../sinks.fixture.ts";
import { hasRsyslog, startRsyslog } from "./rsyslog.fixture.ts";

if (!hasRsyslog)
  console.warn("No syslog server is installed (apt-get install rsyslog rsyslog-openssl): it is not tested with one.");

describe.runIf(hasRsyslog)("rsyslog", () => {
  const app = useApp();

  it("writes down the whole log in its order, by ranges that lead to the signed head", async () => {
    const certificate = selfSigned("localhost");
    const server = await startRsyslog(certificate);
    const target = { host: "localhost", port: server.port, ca: certificate.cert };
    await makeRecords(app, 10);
    const { sink_id: id } = await createSink(app, { kind: "syslog", target });
    await untilAllSequenced(app);
    await workOn(app, handsOf(app), id, { limits: { records: 4, characters: 1_000_000 } });
    const { position, last_error } = await readSink(app, id);
    const check = createReceiverCheck(app);
    let records: TakenRecord[] = [];
    let taken = 0;
    for (const line of await server.stop()) {
      const at = line.indexOf(" ");
      const message: unknown = JSON.parse(line.slice(at));
      if (line.slice(0, at) !== "aos.audit.batch") records.push(message as TakenRecord);
      else {
        await check(message as BatchHead, records);
        taken += records.length;
        records = [];
      }
    }
    expect([last_error, taken]).toEqual([null, position]);
  });
});
