import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Visitor } from './exploit.ts';
import { createShop } from './shop.ts';
import { createVisitor } from './visitor.ts';

/** The whole shop for the tests of one file, and somebody to visit it. It only says that it sleeps, or the tests would. */
export function openWholeShop(): { shop: Server; visitor: () => Visitor } {
  let slept = 0;
  let clockOffset = 0;
  let visitor: Visitor;
  const shop = createShop({
    isWhole: true,
    now: () => Date.now() + clockOffset,
    async wait(milliseconds) {
      slept += milliseconds;
      await sleep(10);
    },
  });
  before(async () => {
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    visitor = createVisitor({
      origin: `http://127.0.0.1:${(shop.address() as AddressInfo).port}`,
      takeSleep() {
        const taken = slept / 1_000;
        slept = 0;
        return taken;
      },
      moveClock(seconds) {
        clockOffset += seconds * 1_000;
      },
    });
  });
  after(() => {
    shop.close();
    shop.closeAllConnections();
  });
  return { shop, visitor: () => visitor };
}
