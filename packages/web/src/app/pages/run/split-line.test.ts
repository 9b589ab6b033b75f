import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { splitLine } from './split-line.ts';

describe('a line of the summary', () => {
  it('is split before a long list of checks', () => {
    const ids = ['csrf', 'dom-xss', 'idor-read', 'jwt-alg-none', 'ssrf', 'xxe'];
    assert.deepEqual(splitLine(`Tested 4 parameters with 6 checks: ${ids.join(', ')}.`), {
      lead: 'Tested 4 parameters with 6 checks',
      ids,
    });
  });

  for (const line of [
    'Only at deeper levels: csrf, ssrf.',
    'Could not test ssrf (ssrf): No listener, no proxy, no mail, no name, no page, no answer was configured.',
    'Sent 317 requests, none of which could change something.',
  ]) {
    it(`stays whole: ${line}`, () => assert.deepEqual(splitLine(line), { lead: line, ids: [] }));
  }
});
