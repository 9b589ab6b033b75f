/** The program of the range: listens on loopback only, and exits with its parent. */
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { shiftedIds, usualIds } from './ids.ts';
import { askAt } from './look-up.ts';
import { createShop } from './shop.ts';
import { watchShop } from './watchdog.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    verification: { type: 'string' },
    whole: { type: 'boolean', default: false },
    'shifted-ids': { type: 'boolean', default: false },
    'may-call': { type: 'string', multiple: true, default: [] },
    'may-ask': { type: 'string' },
    user: { type: 'string' },
  },
});

let verification = values.verification;
const shop = createShop({
  verification: () => verification,
  isWhole: values.whole,
  idOf: values['shifted-ids'] ? shiftedIds : usualIds,
  mayCall: values['may-call'],
  lookUp: askAt(values['may-ask']),
});
shop.on('error', (error) => {
  process.stderr.write(`the range cannot listen on port ${values.port}: ${error.message}\n`);
  process.exit(1);
});
shop.listen(Number(values.port), '127.0.0.1', () => {
  if (values.user !== undefined) become(values.user);
  const { port } = shop.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ port })}\n`);
});

/** Drops privileges after all code is loaded, because the other user may be unable to read it. */
function become(user: string): void {
  const [uid, gid] = user.split(':').map(Number);
  if (!uid || !gid || !process.setgroups || !process.setgid || !process.setuid) process.exit(1);
  process.setgroups([]);
  process.setgid(gid);
  process.setuid(uid);
}

process.on('SIGTERM', () => process.exit());
// A pipe emits close when its other end is gone; a file only ends.
for (const event of ['close', 'end']) process.stdin.on(event, () => process.exit());
/** Each line of the parent is a token to publish from now on; it is answered once that is so. */
createInterface(process.stdin).on('line', (token) => {
  verification = token;
  process.stdout.write(`${JSON.stringify({ published: token })}\n`);
});
watchShop();
