import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toCsv } from './csv.ts';

describe('CSV of a list', () => {
  it('has no cell that a spreadsheet would run, and keeps numbers as they are', () => {
    const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'];
    for (const text of texts) assert.match(toCsv([[text]]), /^"?'/);
    assert.equal(toCsv([[-250, null, 'plain']]), '-250,,plain\r\n');
  });

  it('quotes what would end a cell', () => {
    assert.equal(toCsv([['a,b', 'say "x"', 'two\nlines']]), '"a,b","say ""x""","two\nlines"\r\n');
  });
});
