import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InventoryItem, Parameter, PointLocation, RequestBody } from '../crawl/inventory/inventory.ts';
import { jsonLeaves } from '../crawl/inventory/json-leaves.ts';
import { requestOf } from '../crawl/requests/write-request.ts';
import type { Point } from './define-active-check.ts';
import { cookiePointOf, headerPointsOf, pointsOf, requestWith } from './insertion-point.ts';

function pointIn(location: PointLocation, name: string, body?: RequestBody, others: Parameter[] = []): Point {
  const leaf = body && jsonLeaves(body.text).find(({ pointer }) => pointer === name);
  const type = leaf && leaf.type !== 'string' ? { type: leaf.type } : {};
  const parameter: Parameter = { location, name, value: leaf?.value ?? 'tea', ...type };
  const item: InventoryItem = {
    method: 'POST',
    url: 'http://shop.test/api',
    parameters: [parameter, ...others],
    seenAs: null,
    contentType: '',
    ...(body && { body }),
  };
  return { item, parameter };
}
const json = (text: string): RequestBody => ({ type: 'application/json; charset=utf-8', text });
const bodyOf = (point: Point, value: string, isRaw?: boolean) => requestWith(point, value, isRaw).body;

describe('a point in XML', () => {
  const text = '<?xml version="1.0"?>\n<order id="7"><tea>Sencha</tea><tea><![CDATA[a&b]]></tea></order>';
  const body: RequestBody = { type: 'text/xml', text };
  const inXml = (name: string) => pointIn('xml', name, body);

  it('changes its own value and no other byte', () => {
    assert.equal(bodyOf(inXml('/order/@id'), `'"<`), text.replace('"7"', '"&#39;&#34;&#60;"'));
    assert.equal(bodyOf(inXml('/order/tea'), `'"<&`), text.replace('Sencha', `'"&#60;&#38;`));
    assert.equal(bodyOf(inXml('/order/tea'), '&x;', true), text.replace('Sencha', '&x;'));
  });

  it('of a repeated name is the one in its place', () => {
    const first: Parameter = { location: 'xml', name: '/order/tea', value: 'Sencha' };
    const { item, parameter } = pointIn('xml', '/order/tea', body);
    const point = { item: { ...item, parameters: [first, parameter] }, parameter };
    assert.equal(bodyOf(point, 'q'), text.replace('<![CDATA[a&b]]>', 'q'));
  });

  it('is sent with the type of the body', () => {
    assert.deepEqual(requestWith(inXml('/order/tea'), 'q').headers, [['Content-Type', 'text/xml']]);
  });
});

describe('a point in JSON', () => {
  const text = '{ "a": [ {"b/c":"x\\u0041"}, 1.50 ],\n "n": -7, "t": true, "z": null, "big": 12345678901234567890 }';

  it('changes its own value and no other byte', () => {
    assert.equal(
      bodyOf(pointIn('json', '/a/0/b~1c', json(text)), `q"\\\n'`),
      text.replace('"x\\u0041"', `"q\\"\\\\\\n'"`),
    );
    assert.equal(bodyOf(pointIn('json', '/z', json(text)), 'q'), text.replace('null', '"q"'));
  });

  it('that is not changed is sent as it was written', () => {
    for (const { pointer, value } of jsonLeaves(text)) {
      assert.equal(bodyOf(pointIn('json', pointer, json(text)), value), text, pointer);
    }
  });

  it('keeps its type while the value allows it', () => {
    assert.equal(bodyOf(pointIn('json', '/n', json(text)), '8'), text.replace('-7', '8'));
    assert.equal(bodyOf(pointIn('json', '/n', json(text)), "8'"), text.replace('-7', `"8'"`));
    assert.equal(bodyOf(pointIn('json', '/t', json(text)), 'false'), text.replace('true', 'false'));
    assert.equal(bodyOf(pointIn('json', '/a/0/b~1c', json(text)), '8'), text.replace('"x\\u0041"', '"8"'));
  });

  it('takes a raw value as it is, an object for instance', () => {
    assert.equal(bodyOf(pointIn('json', '/n', json(text)), '{"$ne":1}', true), text.replace('-7', '{"$ne":1}'));
  });

  it('is sent with the type that was seen', () => {
    const { headers, method } = requestWith(pointIn('json', '/n', json(text)), '8');
    assert.deepEqual([method, headers], ['POST', [['Content-Type', 'application/json; charset=utf-8']]]);
  });

  it('is found again when a name is there twice', () => {
    const twice = json('{"a":1,"a":2}');
    const item = pointIn('json', '/a', twice).item;
    item.parameters = jsonLeaves(twice.text).map(({ pointer, value }) => ({ location: 'json', name: pointer, value }));
    assert.equal(bodyOf(pointsOf(item)[1] as Point, '3'), '{"a":1,"a":"3"}');
  });

  it('needs no body that was seen', () => {
    const others: Parameter[] = [
      { location: 'json', name: '/c/d', value: '1', type: 'number' },
      { location: 'json', name: '/c/e~1f/0', value: 'y' },
    ];
    const point = pointIn('json', '/q', undefined, others);
    assert.equal(bodyOf(point, 'x"'), '{"q":"x\\"","c":{"d":1,"e/f":["y"]}}');
    assert.deepEqual(requestOf(point.item).headers, [['Content-Type', 'application/json']]);
  });

  it('is none in what is no JSON, however deep it is', () => {
    for (const broken of ['', '{', '{a:1}', '[1,]', '['.repeat(100_000), '(1)', '{"a":1} x']) {
      assert.deepEqual(jsonLeaves(broken), [], broken.slice(0, 9));
    }
    assert.deepEqual(jsonLeaves('"x"'), [{ pointer: '', value: 'x', type: 'string', start: 0, end: 3 }]);
  });
});

describe('a point in GraphQL', () => {
  it('is a variable of the operation', () => {
    const text = '{"query":"query($id: ID!) { user(id: $id) { name } }","variables":{"id":"7"}}';
    assert.equal(bodyOf(pointIn('graphql', '/variables/id', json(text)), '8"'), text.replace('"7"', '"8\\""'));
  });
});

describe('a point in a form with files', () => {
  const type = 'multipart/form-data; boundary=XX';
  const part = (head: string, value: string) => `--XX\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
  const text = (a: string, name: string, file: string) =>
    `${part('name="a"', a)}${part(`name="f"; filename="${name}"\r\nContent-Type: image/png`, file)}--XX--\r\n`;
  const body = { type, text: text('1', 'cat.png', 'PNG') };

  it('changes a field, a file or the name of a file, and no other byte', () => {
    assert.equal(bodyOf(pointIn('multipart', 'a', body), 'x\r\ny'), text('x\r\ny', 'cat.png', 'PNG'));
    assert.equal(bodyOf(pointIn('multipart', 'f', body), 'GIF'), text('1', 'cat.png', 'GIF'));
    assert.equal(bodyOf(pointIn('fileName', 'f', body), '../$&".png'), text('1', '../$&%22.png', 'PNG'));
    assert.equal(bodyOf(pointIn('fileName', 'f', body), 'x"; y="', true), text('1', 'x"; y="', 'PNG'));
    assert.equal(requestOf(pointIn('multipart', 'a', body).item).body, body.text);
  });

  it('needs no body that was seen', () => {
    const others: Parameter[] = [{ location: 'fileName', name: 'f', value: 'note.txt' }];
    const { headers, body: sent } = requestWith(pointIn('multipart', 'f', undefined, others), 'hello');
    const [, boundary = ''] = /^multipart\/form-data; boundary=(\S+)$/.exec(headers?.[0]?.[1] ?? '') ?? [];
    assert.ok(boundary.length > 10);
    assert.match(String(sent), /name="f"; filename="note\.txt"\r\nContent-Type: text\/plain\r\n\r\nhello\r\n--/);
    assert.ok(String(sent).endsWith(`--${boundary}--\r\n`));
  });
});

describe('a point beside address and body', () => {
  const item: InventoryItem = {
    method: 'GET',
    url: 'http://shop.test/a',
    parameters: [],
    seenAs: null,
    contentType: '',
  };
  const cookie = { name: 'lang', value: 'en', path: '/', setBy: 'http://shop.test/' };
  const points = [...headerPointsOf(item), cookiePointOf(item, cookie)];
  const named = (name: string) => points.find(({ parameter }) => parameter.name === name) as Point;

  it('is a header or a cookie, named only when it is changed', () => {
    assert.deepEqual(requestWith(named('lang'), 'd e'), {
      method: 'GET',
      url: item.url,
      headers: [['Cookie', 'lang=d%20e']],
    });
    assert.deepEqual(requestWith(named('lang'), 'd"e', true).headers, [['Cookie', 'lang=d"e']]);
    assert.deepEqual(requestWith(named('Referer'), 'x\r\nY: z').headers, [['Referer', 'x  Y: z']]);
    for (const point of points)
      assert.deepEqual(requestWith(point, point.parameter.value), { method: 'GET', url: item.url });
  });

  it('is the fragment of a page', () => {
    const parameter: Parameter = { location: 'fragment', name: 'fragment', value: '' };
    const withFragment = { item: { ...item, parameters: [parameter] }, parameter };
    assert.equal(requestWith(withFragment, '<a b>').url, 'http://shop.test/a#%3Ca%20b%3E');
    assert.equal(requestWith(withFragment, '<a b>', true).url, 'http://shop.test/a#<a b>');
  });
});
