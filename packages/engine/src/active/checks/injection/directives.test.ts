import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import type { PointCheck } from '../../define-active-check.ts';
import check from './ssi-injection.ts';

/** What is done with the page after the value was inserted. */
const isFound: Record<string, (page: string) => string> = {
  'a gateway that carries out ESI': (page) => page.replace(/<esi:comment [^>]*\/>/g, ''),
  'a page that is made by a stylesheet (XSLT)': (page) =>
    page.replace(/<xsl:value-of select="(\d+)\*(\d+)"\/>/g, (_, one, other) => String(Number(one) * Number(other))),
};
const isNotFound: Record<string, (page: string) => string> = {
  'a page that shows the value as it is': String,
  'a page that removes elements with a prefix': (page) => page.replace(/<\w+:[^>]*>/g, ''),
  'a page that removes all elements': (page) => page.replace(/<[^>]*>/g, ''),
};

const cases = Object.entries({ ...isFound, ...isNotFound }).map(([name, change], index) => {
  const answer = (value: string) => ({
    headers: { 'content-type': 'text/html' },
    body: change(`<html><p>Hello ${value}</p></html>`),
  });
  const lab = { parameter: 'name', value: 'Alice', vulnerable: answer, safe: answer };
  return { name, check: { ...(check as PointCheck), id: `case-${index}`, lab: () => lab } };
});

let labs: Awaited<ReturnType<typeof openLabs>>;
before(async () => {
  labs = await openLabs(cases.map((each) => each.check));
});
after(() => labs.close());

describe('a directive in a value', () => {
  for (const { name, check: one } of cases) {
    it(`is ${name in isFound ? 'proved' : 'not proved'} at ${name}`, async () => {
      const { verified } = await labs.test(one, 'vulnerable');
      assert.equal(verified?.confidence, name in isFound ? 'CONFIRMED' : undefined);
    });
  }
});
