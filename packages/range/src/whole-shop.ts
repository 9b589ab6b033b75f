import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Visitor } from './exploit.ts';
import { type IdOf, usualIds } from './ids.ts';
import { createShop } from './shop.ts';
import { createVisitor } from './visitor.ts';

/** Starts the whole shop for the tests of one file, with a visitor. Sleeps are recorded and shortened. */
export function openWholeShop(idOf: IdOf = usualIds): { shop: Server; visitor: () => Visitor } {
  let slept = 0;
  let clockOffset = 0;
  let visitor: Visitor;
  const heard: string[] = [];
  const mayCall: string[] = [];
  /** Responds to /program/6x7 with a PHP program that multiplies the two numbers. */
  const outside = createServer(({ url = '' }, response) => {
    heard.push(url);
    const [, one, other] = /^\/program\/(\d+)x(\d+)/.exec(url) ?? [];
    response.end(one === undefined ? 'heard' : `<?php echo ${one}*${other};?>`);
  });
  const shop = createShop({
    isWhole: true,
    idOf,
    mayCall,
    async lookUp(name) {
      heard.push(name);
      return undefined;
    },
    now: () => Date.now() + clockOffset,
    async wait(milliseconds) {
      slept += milliseconds;
      await sleep(10);
    },
  });
  before(async () => {
    for (const server of [shop, outside]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const place = `127.0.0.1:${(outside.address() as AddressInfo).port}`;
    mayCall.push(place);
    visitor = createVisitor({
      idOf,
      origin: `http://127.0.0.1:${(shop.address() as AddressInfo).port}`,
      takeSleep() {
        const taken = slept / 1_000;
        slept = 0;
        return taken;
      },
      outside: { place, take: () => heard.splice(0) },
      moveClock(seconds) {
        clockOffset += seconds * 1_000;
      },
    });
  });
  after(() => {
    for (const server of [shop, outside]) {
      server.close();
      server.closeAllConnections();
    }
  });
  return { shop, visitor: () => visitor };
}
