import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nonce } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem } from '../crawl/inventory/inventory.ts';
import xxe from './checks/injection/xxe.ts';
import { pointsOf, requestWith } from './insertion-point.ts';

const DOCUMENT = '<?xml version="1.0"?><order id="7"><tea>Assam</tea></order>';
const form = (value: string): InventoryItem => ({
  method: 'POST',
  url: 'http://shop.test/import',
  parameters: [
    { location: 'form', name: 'doc', value },
    { location: 'form', name: 'go', value: 'Go' },
  ],
  seenAs: null,
  contentType: 'text/html',
});
const sent = (body: unknown) => Object.fromEntries(new URLSearchParams(String(body)));

describe('a value that is an XML document', () => {
  it('has its texts and attributes as insertion points, beside itself', () => {
    const points = pointsOf(form(DOCUMENT));
    assert.deepEqual(
      points.map(({ parameter: { location, name, value } }) => `${location} ${name} ${value}`),
      [`form doc ${DOCUMENT}`, 'form go Go', 'xml doc/order/@id 7', 'xml doc/order/tea Assam'],
    );
    assert.deepEqual(
      points.slice(2).map((point) => sent(requestWith(point, `' & "<`).body)),
      [
        { doc: DOCUMENT.replace('"7"', '"&#39; &#38; &#34;&#60;"'), go: 'Go' },
        { doc: DOCUMENT.replace('Assam', `' &#38; "&#60;`), go: 'Go' },
      ],
    );
    const [, , , text] = points;
    assert.deepEqual(sent(text && requestWith(text, 'Assam').body), { doc: DOCUMENT, go: 'Go' });
    assert.deepEqual(sent(text && requestWith(text, '<b/>', true).body), { doc: DOCUMENT.replace('Assam', '<b/>'), go: 'Go' }); // biome-ignore format: one request
  });

  it('has none if it is a text with markup', () => {
    for (const value of ['test', '<b>bold</b>', '<order>']) assert.equal(pointsOf(form(value)).length, 2, value);
  });

  it('is tested for XXE, as a value of the form', () => {
    assert.equal(xxe.appliesTo(form(DOCUMENT), { inventory: [], accounts: [] }), true);
    assert.equal(xxe.appliesTo(form('test'), { inventory: [], accounts: [] }), false);
    const [variant] = xxe.variants;
    const plan = xxe.proof.plan(form(DOCUMENT), variant ?? assert.fail(), nonce, { accounts: [] });
    const attack = plan?.attack.request;
    assert.deepEqual(sent(attack?.body), {
      doc: '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><order id="7"><tea>&a;</tea></order>',
      go: 'Go',
    });
  });
});
