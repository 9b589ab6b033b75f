import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joined } from './requests.ts';

test('repeated headers are joined as Chromium accepts them', () => {
  const headers = joined([
    ['Date', 'Mon, 02 Nov 2026 10:00:00 GMT'],
    ['Set-Cookie', 'a=1'],
    ['date', 'Mon, 02 Nov 2026 10:00:01 GMT'],
    ['Vary', 'Cookie'],
    ['set-cookie', 'b=2'],
    ['Vary', 'Accept'],
    ['Content-Length', '5'],
  ]);
  assert.deepEqual(headers, {
    date: 'Mon, 02 Nov 2026 10:00:00 GMT, Mon, 02 Nov 2026 10:00:01 GMT',
    'set-cookie': 'a=1\nb=2',
    vary: 'Cookie, Accept',
  });
});
