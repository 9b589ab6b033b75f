import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { browserFixes } from './browser.ts';

const ORIGIN = 'https://shop.test';
/** Addresses that a browser, or a careless check, takes for another host. */
const HOSTILE = [
  'https://evil.test/',
  '//evil.test',
  '///evil.test',
  '////evil.test',
  '/.//evil.test',
  '/x/..//evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  '/\t/evil.test',
  '/\n/evil.test',
  '\t//evil.test',
  '/home\n',
  'https:evil.test',
  'https://shop.test@evil.test/',
  'https://shop.test.evil.test/',
  'javascript:alert(1)',
];
const fixes = browserFixes['601'] ?? {};

/** Where the browser goes that receives a Location header on our login page. */
const hostOf = (location: string) => new URL(location, `${ORIGIN}/login`).host;

describe('the fix of an open redirect', () => {
  it('of Node.js leads to no other host', () => {
    const [, url, condition, to] = /url = (.+); redirect only if (.+), to (.+)\.$/.exec(fixes.node ?? '') ?? [];
    const redirect = (next: string): string | null =>
      runInNewContext(`const url = ${url}; (${condition}) ? ${to} : null`, { URL, next, origin: ORIGIN });
    assert.equal(hostOf(redirect('/orders?page=2') ?? ''), 'shop.test');
    for (const next of HOSTILE) {
      const location = redirect(next);
      assert.ok(location === null || hostOf(location) === 'shop.test', JSON.stringify({ next, location }));
    }
  });

  it('of PHP leads to no other host', () => {
    const [, text = ''] = /preg_match\('#(.+)#D'/.exec(fixes.php ?? '') ?? [];
    // A string in single quotes: a doubled backslash is one. Without the flag m, $ means the end here, as with D in PHP.
    const pattern = new RegExp(text.replaceAll('\\\\', '\\'));
    for (const next of ['/', '/orders?page=2', '/a//b']) assert.match(next, pattern);
    for (const next of HOSTILE.filter((each) => pattern.test(each))) assert.equal(hostOf(next), 'shop.test', next);
    assert.doesNotMatch('/home\n', pattern);
  });

  it('of Flask redirects to the address that was checked', () => {
    assert.match(
      fixes.flask ?? '',
      /target = urljoin\(.+redirect\(target\) only if target\.startswith\(request\.host_url\)/,
    );
  });
});
