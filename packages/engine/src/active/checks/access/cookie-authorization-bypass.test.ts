import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import type { Known, SiteCheck } from '../../define-active-check.ts';
import type { LabAnswer, LabRequest, RequestLab } from '../../lab.ts';
import { asName, asRole } from '../../shared/cookie-claims.ts';
import check from './cookie-authorization-bypass.ts';

const html = { 'content-type': 'text/html' };
const cookieIn = ({ headers }: LabRequest, name: string) =>
  new RegExp(`(?:^|;\\s*)${name}=([\\w+/=@.]+)`).exec(headers.cookie ?? '')?.[1];
const toMd5 = (text: string) => createHash('md5').update(text).digest('hex');
const keyed = (text: string) => createHash('md5').update(`tea-and-salt ${text}`).digest('hex');
const toBase64 = (text: string) => Buffer.from(text).toString('base64');

/** A site whose pages set this cookie, and whose page for staff opens if `isOpen` accepts it. */
const staffSite =
  (name: string, usual: string, isOpen: (value: string) => boolean) =>
  (request: LabRequest): LabAnswer => {
    const value = cookieIn(request, name);
    if (request.path === '/admin/log')
      return value !== undefined && isOpen(value)
        ? { headers: html, body: '<h1>Log</h1>' }
        : { status: 403, body: 'No' };
    return { headers: { ...html, 'set-cookie': `${name}=${usual}; Path=/` }, body: '<p>Welcome</p>' };
  };
/** A site whose page shows the customer that the cookie names, and what belongs to that customer. */
const ownSite =
  (
    write: (text: string) => string,
    whose: (request: LabRequest) => string | undefined,
    thingsOf: (name: string) => string,
  ) =>
  (request: LabRequest): LabAnswer => {
    const { account } = request;
    if (account === null) return { status: 401, body: 'Log in' };
    const name = whose(request) ?? `${account}@shop.test`;
    const set = { 'set-cookie': `user=${write(`${account}@shop.test`)}; Path=/` };
    return { headers: { ...html, ...set }, body: `<p>Hello ${name}</p><p>${thingsOf(name)}</p>` };
  };
const things = (name: string) =>
  name.startsWith('alice') ? 'Assam, second flush' : name.startsWith('bob') ? 'Sencha' : 'nothing';
const read64 = (request: LabRequest) => {
  const value = cookieIn(request, 'user');
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString();
};
const readHash = (write: (text: string) => string) => (request: LabRequest) => {
  const value = cookieIn(request, 'user');
  return ['alice@shop.test', 'bob@shop.test'].find((name) => write(name) === value);
};

const cases: Record<string, { site: RequestLab['vulnerable']; expected?: 'CONFIRMED' }> = {
  'a switch for administrators': {
    site: staffSite('isAdmin', 'false', (value) => value === 'true'),
    expected: 'CONFIRMED',
  },
  'a role in Base64': {
    site: staffSite('role', toBase64('user'), (value) => value === toBase64('admin')),
    expected: 'CONFIRMED',
  },
  'a user name in Base64': { site: ownSite(toBase64, read64, things), expected: 'CONFIRMED' },
  'a hash of the user name': { site: ownSite(toMd5, readHash(toMd5), things), expected: 'CONFIRMED' },
  'a hash with a salt': { site: ownSite(keyed, readHash(keyed), things) },
  'a switch that opens nothing': { site: staffSite('banner', '0', () => false) },
  'a page that opens with any value of the cookie': { site: staffSite('role', 'user', (value) => value !== 'user') },
  'a page that only greets by the cookie': { site: ownSite(toBase64, read64, () => 'Assam') },
};

describe('a cookie without a signature', () => {
  const named = Object.entries(cases).map(([name, { site, expected }], index) => {
    const item = { method: 'GET', url: '/orders', parameters: [], seenAs: 'alice', contentType: 'text/html' } as const;
    const lab = (): RequestLab => ({
      item: { ...item, parameters: [] },
      refused: [{ as: 'alice', url: '/admin/log' }],
      vulnerable: site,
      safe: site,
    });
    return { name, expected, check: { ...(check as SiteCheck), id: `case-${index}`, lab } };
  });
  let labs: Awaited<ReturnType<typeof openLabs>>;
  before(async () => {
    labs = await openLabs(named.map((each) => each.check));
  });
  after(() => labs.close());

  for (const { name, expected, check: one } of named) {
    it(`${expected ? 'is found' : 'is not found'}: ${name}`, async () => {
      const { verified } = await labs.test(one, 'vulnerable');
      assert.equal(verified?.confidence, expected);
    });
  }

  it('claims nothing if it is a token', () => {
    assert.equal(asName('c0ffee00'.repeat(9), 'plain'), undefined);
    assert.equal(asRole(asName('4f0c9d3a7be1', 'plain')), undefined);
    assert.equal(asName('%7B%22a%22%3A1%7D', 'plain'), undefined);
  });
});

describe('a cookie that is computed from the name, with one account', () => {
  const toSha1 = (text: string) => createHash('sha1').update(text).digest('hex');
  /** The first visit of the account is its login; from then on, the cookie alone decides if `isEnough`. */
  const site =
    (isEnough: boolean) =>
    (request: LabRequest): LabAnswer => {
      const name = readHash(toSha1)(request);
      const isIn = request.account === 'alice' && (name !== undefined || cookieIn(request, 'user') === undefined);
      if (isIn || (isEnough && name !== undefined))
        return {
          headers: { ...html, 'set-cookie': `user=${toSha1('alice@shop.test')}; Path=/` },
          body: things('alice'),
        };
      return { headers: html, body: 'Log in' };
    };
  const named = [true, false].map((isEnough) => {
    // Visitors get a login with status 200, so that they count as having seen the page.
    const sightings = [null, 'alice'].map((as) => ({ as, url: '/orders', status: 200 }));
    const item = { method: 'GET', url: '/orders', seenAs: null, contentType: 'text/html', sightings } as const;
    const lab = (): RequestLab => ({
      item: { ...item, parameters: [], sightings },
      vulnerable: site(isEnough),
      safe: site(isEnough),
    });
    const alone = (known: Known): Known => ({ ...known, accounts: known.accounts.slice(0, 1) });
    const own = check as SiteCheck;
    const probe: SiteCheck['probe'] = async (subject, nonce, asking) =>
      (await own.probe?.(subject, nonce, { ...asking, known: alone(asking.known) })) ?? [];
    return { isEnough, check: { ...own, id: `alone-${isEnough}`, lab, probe } };
  });
  let labs: Awaited<ReturnType<typeof openLabs>>;
  before(async () => {
    labs = await openLabs(named.map((each) => each.check));
  });
  after(() => labs.close());

  for (const { isEnough, check: one } of named) {
    it(isEnough ? 'is enough to get what the account gets' : 'is nothing without the session', async () => {
      const { verified } = await labs.test(one, 'vulnerable');
      assert.equal(verified?.confidence, isEnough ? 'CONFIRMED' : undefined);
    });
  }
});
