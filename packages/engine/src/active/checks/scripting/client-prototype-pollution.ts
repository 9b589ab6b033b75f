import { defineRequestCheck } from '../../define-active-check.ts';
import { isAskedOften, isOwnProgram, readsAddress, scriptsOf } from '../../shared/page-scripts.ts';

/** KEY and VALUE are a property that every object of the page has after successful pollution. */
type Variant = `${'?' | '#'}${string}`;

const VARIANTS: readonly Variant[] = [
  '?__proto__[KEY]=VALUE',
  '?__proto__.KEY=VALUE',
  '?constructor[prototype][KEY]=VALUE',
  '?constructor.prototype.KEY=VALUE',
  '#__proto__[KEY]=VALUE',
  '#__proto__.KEY=VALUE',
  '#constructor[prototype][KEY]=VALUE',
];

/** Returns the URL with all variants, each with its own key: the word and an index. */
function urlWith(url: string, variants: readonly Variant[], word: string): string {
  const [address = ''] = url.split('#', 1);
  const written = variants.map((variant, index) => variant.replace('KEY', `${word}${index}`).replace('VALUE', word));
  const part = (mark: '?' | '#') => written.filter((text) => text.startsWith(mark)).map((text) => text.slice(1));
  const [query, fragment] = [part('?').join('&'), part('#').join('&')];
  const joint = address.includes('?') ? '&' : '?';
  return `${address}${query && joint + query}${fragment && `#${fragment}`}`;
}

const opening = (url: string, variants: readonly Variant[], word: string) => ({
  request: { method: 'GET', url: urlWith(url, variants, word) },
  browser: {
    look: `${JSON.stringify(variants.map((_, index) => `${word}${index}`))}.filter((key) => ({})[key] === '${word}').join()`,
  },
});

export default defineRequestCheck({
  id: 'client-prototype-pollution',
  title: 'Client-side prototype pollution',
  cwe: 1321,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:L/VA:N/SC:N/SI:N/SA:N',
  needsNoAccount: true,
  impact:
    'An attacker changes properties of all objects in the page of a visitor who opens a link, which many libraries turn into XSS.',
  why: 'A script of the page parses the URL into an object and follows keys such as __proto__ or constructor. An attacker who lures a visitor to a link sets properties on every object of the page; with many libraries this leads to cross-site scripting (XSS). A property from the URL appeared on Object.prototype in the browser.',
  fix: 'Parse the URL with URLSearchParams into a Map or an Object.create(null). Reject the keys __proto__, constructor and prototype, and update libraries that parse or merge objects.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Prototype_Pollution_Prevention_Cheat_Sheet.html',
    'https://portswigger.net/web-security/prototype-pollution',
    'https://cwe.mitre.org/data/definitions/1321.html',
  ],
  risk: 'harmless',
  needsBrowser: true,
  appliesTo: isOwnProgram,
  variants: VARIANTS,
  maxRequests: 40,
  async probe(item, { word }, asking) {
    const scripts = await scriptsOf(item, asking);
    if (!readsAddress(scripts) || isAskedOften('client-prototype-pollution', scripts, asking)) return [];
    const seen = (await asking.open(opening(item.url, VARIANTS, word)))?.seen?.split(',') ?? [];
    return VARIANTS.filter((_, index) => seen.includes(`${word}${index}`)).slice(0, 1);
  },
  proof: {
    plan: ({ url }, variant, { word }) => ({
      attack: {
        label: 'URL that sets a property on Object.prototype',
        ...opening(url, [variant], word),
        shows: `there, ({}).${word}0 is "${word}"`,
      },
    }),
    judge: ({ attack }, _variant, { word }) => (attack.seen === `${word}0` ? 'PROVED' : 'REFUTED'),
  },
  lab: () => ({
    item: { method: 'GET', url: '/shop?sort=price', parameters: [], seenAs: null, contentType: 'text/html' },
    vulnerable: () => page('{}'),
    safe: () => page('Object.create(null)'),
  }),
});

const page = (made: string) => ({
  headers: { 'content-type': 'text/html' },
  body: `<h1>Shop</h1><script>
    const options = ${made};
    for (const pair of location.search.slice(1).split('&')) {
      const [name, value] = pair.split('=').map(decodeURIComponent);
      const keys = name.split(/[\\[\\]]+/).filter(Boolean);
      let place = options;
      while (keys.length > 1) place = place[keys.shift()] ??= ${made};
      place[keys[0]] = value;
    }
  </script>`,
});
