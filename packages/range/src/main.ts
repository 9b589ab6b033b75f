/** The program of the range: on loopback only, and it ends with whoever started it. */
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { askAt } from './leaving/names.ts';
import { createShop } from './shop.ts';
import { watchShop } from './watchdog.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    verification: { type: 'string' },
    whole: { type: 'boolean', default: false },
    'may-call': { type: 'string', multiple: true, default: [] },
    'may-ask': { type: 'string' },
  },
});

const shop = createShop({
  verification: values.verification,
  isWhole: values.whole,
  mayCall: values['may-call'],
  lookUp: askAt(values['may-ask']),
});
shop.on('error', (error) => {
  process.stderr.write(`the range cannot listen on port ${values.port}: ${error.message}\n`);
  process.exit(1);
});
shop.listen(Number(values.port), '127.0.0.1', () => {
  const { port } = shop.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ port })}\n`);
});

process.on('SIGTERM', () => process.exit());
// A pipe closes when its other end is gone; a file only ends.
for (const event of ['close', 'end']) process.stdin.on(event, () => process.exit());
process.stdin.resume();
watchShop();
