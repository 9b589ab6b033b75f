import fc from 'fast-check';
import { anyText, type BadRequest } from './bad-request.ts';

const listings = fc.constantFrom(
  '/v1/credits/usage',
  '/v1/scans',
  '/v1/targets',
  '/v1/pentests',
  '/v1/pentests/unknown/findings',
  '/v1/scans/unknown/findings',
);

export function read(kind: string, target: string, refusedField?: string | null): BadRequest {
  const request = { kind, method: 'GET', target, headers: {}, body: undefined, isAuthorized: true };
  return refusedField === undefined ? request : { ...request, refusedField };
}

const queryText = fc.oneof(
  anyText.map((value) => encodeURIComponent(value.toWellFormed())),
  fc.array(fc.constantFrom(...'%zZ0+&=;,[]\\|{}^`"<>\'()!*~#?/:@$'), { maxLength: 20 }).map((list) => list.join('')),
  fc.integer().map(String),
  fc.constantFrom(
    '',
    'null',
    '1e9',
    '0x1',
    '-0',
    encodeURIComponent('٣'),
    '%00',
    '%ff%fe',
    'NaN',
    'true',
    '1'.repeat(400),
  ),
);
export const badPage = fc.tuple(listings, fc.constantFrom('limit', 'offset'), queryText).map(([path, name, value]) => {
  const sent = new URLSearchParams(`?${name}=${value}`.replace(/#.*/, '')).getAll(name);
  const number = /^\d{1,16}$/.test(sent[0] ?? '') ? Number(sent[0]) : Number.NaN;
  const isGood = sent.length === 1 && (name === 'limit' ? number >= 1 && number <= 100 : Number.isSafeInteger(number));
  // A fragment is not part of the query, and real clients do not send it.
  return isGood || value.includes('#')
    ? read('page', `${path}?${name}=${value}`)
    : read('page', `${path}?${name}=${value}`, name);
});
export const oddQuery = fc
  .tuple(
    listings,
    fc.array(
      fc.tuple(fc.oneof(queryText, fc.constantFrom('from', 'to', 'status', 'severity', 'apiKeyId')), queryText),
      { maxLength: 8 },
    ),
  )
  .map(([path, pairs]) => read('odd query', `${path}?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`));
export const repeatedParameter = fc
  .tuple(listings, fc.constantFrom('limit', 'offset'), fc.integer({ min: 1, max: 100 }))
  .map(([path, name, value]) => read('repeated parameter', `${path}?${name}=${value}&x=y&${name}=${value}`, name));
export const badInstant = fc
  .tuple(
    fc.constantFrom('from', 'to'),
    fc.oneof(
      queryText.filter((value) => !/^\d{4}-/.test(value)),
      fc.constantFrom(
        '2024-02-30',
        '2024-13-01',
        '2024-01-01T25:00:00Z',
        '2024-01-01T00:00:00',
        '+2024-01-01',
        '24-01-01',
      ),
    ),
  )
  .filter(([, value]) => !/[#&]/.test(value))
  .map(([name, value]) => read('bad instant', `/v1/credits/usage?${name}=${value}`, name));
export const instant = fc
  .tuple(
    fc.constantFrom('from', 'to'),
    fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    fc.constantFrom('Z', '%2B23:59', '-23:59', '-00:00'),
  )
  .map(([name, date, zone]) => read('instant', `/v1/credits/usage?${name}=${date.toISOString().replace('Z', zone)}`));

export const idText = fc.oneof(
  queryText.map((value) => value.replace(/[?#/]/g, '')),
  fc.constantFrom('x'.repeat(10_000), '%00', '%2F..%2F', '%'),
);
export const oddId = fc
  .tuple(fc.constantFrom('/v1/scans/', '/v1/pentests/'), idText, fc.constantFrom('', '/findings', '/findings?limit=0'))
  .map(([path, id, rest]) => read('odd id', path + id + rest, rest.includes('limit=0') ? 'limit' : undefined));
export const cancelWithBody = fc.tuple(idText, fc.uint8Array({ minLength: 1, maxLength: 50 })).map(
  ([id, body]): BadRequest => ({
    kind: 'cancel with a body',
    method: 'POST',
    target: `/v1/pentests/${id}/cancel`,
    headers: { 'content-length': String(body.length), 'content-type': 'application/json' },
    body,
    isAuthorized: true,
    refusedField: 'body',
  }),
);
