import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { shownModeOf, steadyMode, switchBetween } from './shown-mode.ts';

const URL_OF_PAGE = 'http://shop.test/me';

function shown(body: string, type = 'text/html') {
  const response = { status: 200, headers: [['Content-Type', type] as const], body: Buffer.from(body), isCut: false };
  const request = { method: 'GET', url: URL_OF_PAGE, purpose: 'test' as const };
  const exchange: Exchange = { request, response, failure: null, remote: null, firstByteMs: 1, durationMs: 1 };
  return shownModeOf(exchange, body.includes('alice'));
}

const page = (attributes: string, links: readonly string[], text = 'Hello alice') =>
  `<html ${attributes}><body><nav>${links.map((path) => `<a href="${path}">x</a>`).join('')}</nav>${text}</body></html>`;
const LINKS = ['/orders', '/profile', '/team', '/reports'];

describe('the mode that a page shows', () => {
  const before = shown(page('lang="en" class="light wide"', LINKS));

  for (const [what, after, told] of [
    ['language', page('lang="de" class="light wide"', LINKS), 'language from en to de'],
    ['theme', page('lang="en" class="wide dark"', LINKS), 'class of html'],
    ['person', page('lang="en" class="light wide"', LINKS, 'Hello bob'), 'own name shown from yes to no'],
    ['view of a role', page('lang="en" class="light wide"', ['/orders', '/help']), 'the links of its pages'],
  ] as const)
    it(`tells that the ${what} was switched`, () => {
      assert.match(switchBetween(before, shown(after)) ?? '', new RegExp(`^${told}`));
    });

  it('is the same though the text, the order of classes or one link of a list differs', () => {
    const same = page(
      'lang="EN" class="cart-filled light"',
      [...LINKS.slice(1), '/new'],
      'Hello alice, you have 3 letters',
    );
    assert.equal(switchBetween(before, shown(same)), undefined);
  });

  it('is read from the fields of JSON that name one, and from no others', () => {
    const json = (value: object) => shown(JSON.stringify(value), 'application/json');
    const own = json({ user: { id: 7, locale: 'en', theme: 'light', nickname: 'alice', token: 'kx7fQm2bX9' } });
    assert.deepEqual(
      [...own.features],
      [
        ['locale', 'en'],
        ['theme', 'light'],
      ],
    );
    const other = json({ user: { id: 7, locale: 'fr', theme: 'light', nickname: 'al' } });
    assert.equal(switchBetween(own, other), 'locale from en to fr');
  });

  it('does not count what two looks disagree on', () => {
    const steady = steadyMode(before, shown(page('lang="en" class="light-theme"', LINKS)));
    assert.equal(switchBetween(steady, shown(page('lang="en" class="dark-theme"', LINKS))), undefined);
    assert.notEqual(switchBetween(before, shown(page('lang="en" class="dark-theme"', LINKS))), undefined);
  });

  it('beside what visitors see, is switched only where visitors still see the former one', () => {
    const visitors = shown(page('lang="en" class="light wide"', ['/login'], 'Welcome'));
    assert.equal(switchBetween(before, visitors, visitors), undefined);
    const german = shown(page('lang="de" class="light wide"', LINKS, 'Hallo'));
    assert.equal(switchBetween(before, german, visitors), 'language from en to de');
  });
});
