import { idempotencyKeyPattern } from '@sortie/contract';
import fc from 'fast-check';
import { anyText, type BadRequest } from './bad-request.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const starts = { startScan: '/v1/scans', startPentest: '/v1/pentests' } as const;
type Start = keyof typeof starts;

const text = (value: unknown) => Buffer.from(JSON.stringify(value));
const anyJson = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }) as fc.Arbitrary<Json>;

const credential = fc.record(
  {
    name: fc.constantFrom('admin', 'user_1', 'a-b'),
    user: fc.constantFrom('somebody', 'X-Api-Key'),
    pass: fc.constantFrom('secret', 'p\u00e4ss', '\u{1f511}'),
    kind: fc.constantFrom('FORM_LOGIN', 'COOKIE'),
    totpSecret: fc.constant('JBSWY3DP'),
    instructions: fc.constant('Press the blue button.'),
  },
  { requiredKeys: ['name', 'user', 'pass'] },
);

const validBodies: Record<Start, fc.Arbitrary<Record<string, Json>>> = {
  startScan: fc.constantFrom({ url: 'https://shop.example/' }, { url: 'shop.example' }),
  startPentest: fc.record(
    {
      targetUrl: fc.constantFrom('https://shop.example/', 'http://shop.example:8080/a?b=c'),
      verificationId: fc.constantFrom('ver_1', 'tgt_5hK2mXw9QzR7bN4cV1sY'),
      depth: fc.constantFrom('LEAD', 'STANDARD', 'DEEP'),
      credentials: fc.uniqueArray(credential, { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
      apiDescription: fc.constantFrom('{"swagger":"2.0","paths":{}}', 'openapi: 3.1.0\npaths: {}\n'),
    },
    { requiredKeys: ['targetUrl', 'verificationId'] },
  ) as fc.Arbitrary<Record<string, Json>>,
};

const requiredFields: Record<Start, string[]> = {
  startScan: ['url'],
  startPentest: ['targetUrl', 'verificationId'],
};

const startName = fc.constantFrom<Start>('startScan', 'startPentest', 'startPentest');
let starting = 0;

function start(name: Start, kind: string, body: Uint8Array, refusedField?: string | null): BadRequest {
  return {
    kind,
    method: 'POST',
    target: starts[name],
    headers: { 'content-type': 'application/json', 'idempotency-key': `bad-${starting++}` },
    body,
    isAuthorized: true,
    ...(refusedField === undefined ? {} : { refusedField }),
  };
}

/** Combines a valid start with what is needed to make it invalid. */
function spoil<T>(
  needed: fc.Arbitrary<T>,
  spoiling: (body: Record<string, Json>, how: T, name: Start) => BadRequest,
): fc.Arbitrary<BadRequest> {
  return startName.chain((name) =>
    fc.tuple(validBodies[name], needed).map(([body, how]) => spoiling(structuredClone(body), how, name)),
  );
}

interface Place {
  path: string;
  holder: Record<string, Json>;
  member: string;
}

/** Returns every member of a body and its credentials. */
function placesIn(body: Record<string, Json>): Place[] {
  const places = Object.keys(body).map((member) => ({ path: member, holder: body, member }));
  for (const [index, one] of ((body.credentials ?? []) as Record<string, Json>[]).entries()) {
    for (const member of Object.keys(one))
      places.push({ path: `credentials[${index}].${member}`, holder: one, member });
  }
  return places;
}

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** JSON values without anything that is rejected before its type is checked. */
const plainJson = (fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme-ascii' }) as fc.Arbitrary<Json>).filter(
  (value) => !JSON.stringify(value).includes('__proto__'),
);

export const wrongType = spoil(fc.tuple(fc.nat(), plainJson), (body, [index, value], name) => {
  const { path, holder, member } = pick(placesIn(body), index);
  const isRightType = member === 'credentials' ? Array.isArray(value) : typeof value === 'string';
  holder[member] = isRightType ? { nested: value } : value;
  return start(name, 'wrong type', text(body), path);
});

export const missingMember = spoil(fc.nat(), (body, index, name) => {
  const member = pick(requiredFields[name], index);
  delete body[member];
  return start(name, 'missing member', text(body), member);
});

const unknownName = fc.oneof(
  anyText,
  fc.constantFrom(
    '',
    ' ',
    'constructor',
    'toString',
    'hasOwnProperty',
    'prototype',
    'URL',
    'targeturl',
    ' url',
    'url\0',
  ),
);
export const unknownMember = spoil(fc.tuple(fc.nat(), unknownName, anyJson), (body, [index, unknown, value], name) => {
  const { holder } = pick(placesIn(body), index);
  holder[unknown === '__proto__' ? 'surprise' : unknown] = value;
  return start(name, 'unknown member', text(body), null);
});

export const wrongSize = spoil(fc.tuple(fc.nat(), fc.nat({ max: 3_000 })), (body, [index, extra], name) => {
  const limits: Record<string, number> = { name: 100, user: 2_000, pass: 20_000, url: 2_048 };
  Object.assign(limits, { targetUrl: 2_048, totpSecret: 1_000, instructions: 10_000, depth: 8, kind: 12 });
  const { path, holder, member } = pick(
    placesIn(body).filter((place) => place.member in limits),
    index,
  );
  const beginning = member === 'url' || member === 'targetUrl' ? 'https://shop.example/' : '';
  holder[member] = beginning.padEnd((limits[member] ?? 0) + 1 + extra, 'x');
  return start(name, 'too long', text(body), path);
});

export const oddText = spoil(fc.tuple(fc.nat(), anyText), (body, [index, value], name) => {
  const { holder, member } = pick(
    placesIn(body).filter((place) => place.member !== 'credentials'),
    index,
  );
  holder[member] = value;
  return start(name, 'odd text', text(body));
});

export const oddUrl = spoil(
  fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc
      .tuple(fc.constantFrom('http://', 'https://', 'HTTPS:', 'ftp://', 'javascript:', '//', ''), anyText)
      .map((t) => t.join('')),
    fc.constantFrom(
      'https://user:pw@shop.example/',
      'https://[::1',
      'https://a..b/',
      'https:///x',
      'https://1.2.3.4.5/',
    ),
  ),
  (body, url, name) => {
    body[name === 'startScan' ? 'url' : 'targetUrl'] = url;
    return start(name, 'odd URL', text(body));
  },
);

/** JSON text that JSON.stringify would not write. */
const spoiledText = (kind: string, needed: fc.Arbitrary<string>, field: string | null = null) =>
  spoil(needed, (body, inserted, name) =>
    start(name, kind, Buffer.from(JSON.stringify(body).replace('{', () => `{${inserted},`)), field),
  );

const memberNames = fc.constantFrom('url', 'targetUrl', 'verificationId', '\\u0075rl', 'depth', 'credentials', 'x');
const jsonText = anyJson.map((value) => JSON.stringify(value));

export const repeatedMember = spoiledText(
  'repeated member',
  fc.tuple(memberNames, jsonText, jsonText).map(([name, one, two]) => `"${name}":${one},"${name}":${two}`),
);
export const prototypeMember = spoiledText(
  '__proto__',
  fc.tuple(fc.constantFrom('__proto__', '\\u005f_proto__'), jsonText).map(([name, value]) => `"${name}":${value}`),
);
export const unstorable = spoil(
  fc.tuple(fc.nat(), fc.constantFrom('\\u0000', '\\ud800', '\\udfff', '\\udc00\\ud800', 'a\\u0000b')),
  (body, [index, escaped], name) => {
    const { path, holder, member } = pick(
      placesIn(body).filter((place) => place.member !== 'credentials'),
      index,
    );
    holder[member] = 'MARK';
    const text = Buffer.from(JSON.stringify(body).replace('MARK', escaped));
    // An id is never refused for its form: an odd one is not found.
    return start(name, 'NUL or half a surrogate', text, path === 'verificationId' ? undefined : path);
  },
);
export const hugeNumber = spoiledText(
  'huge number',
  fc
    .constantFrom('1e400', '-1e999', '9'.repeat(500), '0.1e-999', `0.${'1'.repeat(300)}`, '-0')
    .map((number) => `"number":${number}`),
);

/** Bytes that never occur in UTF-8. */
const badByte = fc.constantFrom(0xc0, 0xc1, 0xf5, 0xfe, 0xff);
export const badUtf8 = spoil(fc.tuple(fc.nat(), badByte), (body, [position, byte], name) => {
  const bytes = text(body);
  const at = position % (bytes.length + 1);
  return start(name, 'bad UTF-8', Buffer.concat([bytes.subarray(0, at), Buffer.of(byte), bytes.subarray(at)]), 'body');
});
export const byteOrder = spoil(fc.constantFrom('\ufeff', 'utf16le', 'base64'), (body, how, name) => {
  const json = JSON.stringify(body);
  const bytes =
    how === '\ufeff'
      ? Buffer.from(how + json)
      : how === 'base64'
        ? Buffer.from(text(body).toString('base64'))
        : Buffer.from(json, 'utf16le');
  return start(name, 'other encoding', bytes, 'body');
});
export const truncated = spoil(fc.nat(), (body, cut, name) => {
  const bytes = text(body);
  return start(name, 'cut short', bytes.subarray(0, cut % bytes.length), 'body');
});
export const deep = spoil(
  fc.tuple(fc.integer({ min: 33, max: 20_000 }), fc.boolean()),
  (_body, [levels, isList], name) => {
    const json = isList ? '['.repeat(levels) + ']'.repeat(levels) : `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    return start(name, 'too deep', Buffer.from(json), 'body');
  },
);
export const tooLarge = spoil(fc.integer({ min: 1, max: 20_000 }), (body, extra, name) =>
  start(name, 'too large', Buffer.from(JSON.stringify(body).padEnd(512 * 1024 + extra)), 'body'),
);
export const otherJson = spoil(jsonText, (_body, json, name) => start(name, 'other JSON', Buffer.from(json), null));
export const noise = spoil(fc.uint8Array({ minLength: 1, maxLength: 500 }), (_body, bytes, name) =>
  start(name, 'noise', bytes, null),
);
export const mutated = spoil(
  fc.array(fc.tuple(fc.nat(), fc.constantFrom('replace', 'insert', 'delete'), fc.constantFrom(...'{}[]",:\\ \t\n0x')), {
    minLength: 1,
    maxLength: 4,
  }),
  (body, changes, name) => {
    let json = JSON.stringify(body);
    for (const [position, change, character] of changes) {
      const at = position % json.length;
      json = json.slice(0, at) + (change === 'delete' ? '' : character) + json.slice(change === 'insert' ? at : at + 1);
    }
    return start(name, 'mutated', Buffer.from(json));
  },
);

export const headerText = fc
  .array(fc.constantFrom(...'abcXYZ019 ;,="/+*-_.\t\u00e4\u00ff'), { maxLength: 30 })
  .map((characters) => characters.join('').trim());

export const oddContentType = spoil(
  fc.oneof(
    fc.constantFrom('text/plain', 'application/xml', 'application/json+x', 'json', '*/*', 'application/ json', ''),
    headerText,
  ),
  (body, type, name) => {
    const request = start(name, 'odd content type', text(body));
    request.headers['content-type'] = type;
    const isJson = type.split(';')[0]?.trim().toLowerCase() === 'application/json';
    return isJson ? request : { ...request, refusedField: 'Content-Type' };
  },
);
export const oddIdempotencyKey = spoil(
  fc.oneof(
    headerText,
    fc.integer({ min: 250, max: 3_000 }).map((length) => 'k'.repeat(length)),
    fc.constantFrom<string[]>(['a', 'b'], ['same', 'same'], ['', 'a']),
  ),
  (body, key, name) => {
    const request = start(name, 'odd idempotency key', text(body));
    request.headers['idempotency-key'] = key;
    const isGood = typeof key === 'string' && idempotencyKeyPattern.test(key);
    return isGood ? request : { ...request, refusedField: 'Idempotency-Key' };
  },
);
export const oddHeaders = spoil(
  fc.dictionary(fc.stringMatching(/^x-[a-z-]{1,20}$/), headerText, { maxKeys: 50 }),
  (body, odd, name) => {
    const request = start(name, 'odd headers', text({ ...body, surprise: true }), null);
    return { ...request, headers: { ...odd, ...request.headers, 'content-encoding': 'gzip', range: 'bytes=0-' } };
  },
);
