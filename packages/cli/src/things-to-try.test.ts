import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thingsToTry } from './things-to-try.ts';

const apiKey = 'srt_test_abc';

test('a stranger sets the key once, and then scans, gates and sees the costs', () => {
  const target = { url: 'http://127.0.0.1:4801/', verificationId: 'ver_1' };
  assert.deepEqual(thingsToTry({ baseUrl: 'http://127.0.0.1:4800', apiKey, target }), [
    'export SORTIE_API_KEY=srt_test_abc',
    'npx sortie scan http://127.0.0.1:4801/',
    'npx sortie gate --start --target http://127.0.0.1:4801/ --verification ver_1 --poll 2s',
    'npx sortie credits',
  ]);
});

test('another address is set as well, and without a demo target nothing is tested', () => {
  assert.deepEqual(thingsToTry({ baseUrl: 'http://127.0.0.1:4900', apiKey, target: null }), [
    'export SORTIE_API_KEY=srt_test_abc',
    'export SORTIE_BASE_URL=http://127.0.0.1:4900',
    'npx sortie credits',
  ]);
});
