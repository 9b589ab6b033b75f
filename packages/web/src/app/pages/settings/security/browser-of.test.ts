import assert from 'node:assert/strict';
import { it } from 'node:test';
import { browserOf } from './browser-of.ts';

const MOZILLA = 'Mozilla/5.0';
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

it('names browser and system of a User-Agent', () => {
  const expected = {
    [`${MOZILLA} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`]: 'Firefox 140 on Linux',
    [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`]: 'Chrome 141 on Windows',
    [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.1`]:
      'Edge 141 on Windows',
    [`${MOZILLA} (Linux; Android 15) ${WEBKIT} Chrome/141.0.0.0 Mobile Safari/537.36`]: 'Chrome 141 on Android',
    [`${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`]:
      'Safari 18 on macOS',
    [`${MOZILLA} (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1`]:
      'Safari 18 on iOS',
    'curl/8.14.1': 'curl/8.14.1',
    '': 'Unknown browser',
  };
  for (const [userAgent, name] of Object.entries(expected)) assert.equal(browserOf(userAgent), name);
});
