import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { escapeXml, xmlLeaves } from './xml-leaves.ts';

const seen = (document: string) => xmlLeaves(document).map(({ pointer, value }) => `${pointer} = ${value}`);

describe('the values of an XML document', () => {
  it('are texts and attributes, by the names of the elements around them', () => {
    const document =
      '<?xml version="1.0"?>\n<!-- <no/> --><order id="7">\n  <item sku=\'a&amp;b\'>Green &lt;tea&gt;</item><note></note><gift/></order>\n';
    assert.deepEqual(seen(document), [
      '/order/@id = 7',
      '/order/item/@sku = a&b',
      '/order/item = Green <tea>',
      '/order/note = ',
    ]);
  });

  it('are not the declarations that make it readable', () => {
    const document =
      '<s:Envelope xmlns:s="urn:s" s:encodingStyle="urn:e"><s:Body><ns:get xmlns:ns="urn:t" xsi:type="ns:x"><id>3</id></ns:get></s:Body></s:Envelope>';
    assert.deepEqual(seen(document), ['/s:Envelope/s:Body/ns:get/id = 3']);
  });

  it('have the positions of what a test replaces', () => {
    const document = '<a b="one"><c><![CDATA[two & three]]></c><d></d></a>';
    const replaced = xmlLeaves(document).map(({ start, end }) => `${document.slice(0, start)}*${document.slice(end)}`);
    assert.deepEqual(replaced, [
      '<a b="*"><c><![CDATA[two & three]]></c><d></d></a>',
      '<a b="one"><c>*</c><d></d></a>',
      '<a b="one"><c><![CDATA[two & three]]></c><d>*</d></a>',
    ]);
  });

  for (const text of ['', 'a', '<a>', '<a></b>', '<a b=c>1</a>', '<p>1<br></p>', '{"a":"<b>1</b>"', '<!-- <a>1</a>']) {
    it(`are none in ${JSON.stringify(text)}`, () => assert.deepEqual(seen(text), []));
  }

  it('are escaped when they are written', () => {
    assert.equal(escapeXml('a<b>&"\n\0', false), 'a&#60;b&#62;&#38;"\n ');
    assert.equal(escapeXml('"\'\n', true), '&#34;&#39;&#10;');
  });
});
