import { expect, it } from "vitest";
import { createPorts, definePort, join, type Port } from "./port.ts";

interface Greeter {
  greet(): string;
}

const saying = (text: string): Greeter => ({ greet: () => text });

function declare() {
  const declared: Port<unknown>[] = [];
  return {
    declared,
    greeter: definePort<Greeter>("greeter", declared),
    limit: definePort<number>("limit", declared),
  };
}

it("names a port that nobody joined when the service starts", () => {
  const { declared, greeter } = declare();
  expect(() => createPorts([join(greeter, saying("hello"))], declared)).toThrow(
    'Nothing is joined to the port "limit": add it to wiring/ports.ts.',
  );
});

it("names a port that is joined twice", () => {
  const { declared, greeter, limit } = declare();
  const twice = [join(greeter, saying("hello")), join(limit, 1), join(limit, 2)];
  expect(() => createPorts(twice, declared)).toThrow('The port "limit" is joined twice');
});

it("keeps what two services of a process have apart", () => {
  const { declared, greeter, limit } = declare();
  const serviceSaying = (text: string) => createPorts([join(greeter, saying(text)), join(limit, 1)], declared);
  const [one, other] = [serviceSaying("one"), serviceSaying("other")];
  expect([one(greeter).greet(), other(greeter).greet(), one(limit)]).toEqual(["one", "other", 1]);
});
