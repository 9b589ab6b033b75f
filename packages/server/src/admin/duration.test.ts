import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDuration } from './duration.ts';

describe('a duration', () => {
  for (const [text, seconds] of Object.entries({ '1s': 1, '125s': 125, '5m': 300, '24h': 86_400, '30d': 2_592_000 })) {
    it(`${text} is ${seconds} seconds`, () => assert.equal(parseDuration(text), seconds));
  }

  for (const text of [
    '',
    '0s',
    '5',
    's',
    '5w',
    '1.5h',
    '-5m',
    '+5m',
    ' 5m',
    '5m ',
    '5 m',
    '5M',
    '1h30m',
    '36501d',
    '9'.repeat(400),
  ]) {
    it(`${JSON.stringify(text.slice(0, 20))} is none`, () => assert.equal(parseDuration(text), undefined));
  }
});
