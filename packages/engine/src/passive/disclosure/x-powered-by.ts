import { definePassiveCheck } from '../../check.ts';

const TELLING = ['x-powered-by', 'x-aspnet-version', 'x-aspnetmvc-version', 'x-generator', 'x-runtime'];
/** The version of a product, not that of HTTP which begins each part of Via. */
const PRODUCT_VERSION = /[\w-][/ ]v?\d{1,9}\.\d/i;

const hasProductVersion = (via: string) =>
  via.split(',').some((part) => PRODUCT_VERSION.test(part.trim().replace(/^(?:[\w-]+\/)?\d+(?:\.\d+)?\s/, '')));

export default definePassiveCheck({
  id: 'x-powered-by',
  group: 'disclosure',
  severity: 'LOW',
  cwe: 497,
  title: 'Headers tell what the site is built with',
  why: 'The name of the framework, and more so its version, tells an attacker which known flaws are worth trying. Visitors have no use for it.',
  fix: 'Switch the header off: expose_php = Off in PHP, app.disable("x-powered-by") in Express, enableVersionHeader="false" in ASP.NET; or remove it in the proxy.',
  recipe: { set: 'no X-Powered-By' },
  references: ['https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html#x-powered-by'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const told = TELLING.filter((name) => mainDocument.headers(name).some((value) => value.trim() !== ''));
    if (mainDocument.headers('via').some(hasProductVersion)) told.push('via');
    if (told.length > 0) yield { evidence: mainDocument.headerLines(...told) };
  },

  examples: [
    { name: 'PHP', given: { headers: { 'X-Powered-By': 'PHP/8.4.1' } }, fails: 1 },
    { name: 'a name only', given: { headers: { 'x-powered-by': 'Express' } }, fails: 1 },
    { name: 'ASP.NET', given: { headers: { 'x-aspnet-version': '4.0.30319', 'x-powered-by': 'ASP.NET' } }, fails: 1 },
    { name: 'a content system', given: { headers: { 'x-generator': 'Drupal 10' } }, fails: 1 },
    { name: 'how long it took', given: { headers: { 'x-runtime': '0.004218' } }, fails: 1 },
    { name: 'the version of a proxy', given: { headers: { via: '1.1 varnish (Varnish/7.4)' } }, fails: 1 },
    { name: 'a proxy without its version', given: { headers: { via: 'HTTP/1.1 varnish, 2 google' } }, fails: 0 },
    { name: 'empty', given: { headers: { 'x-powered-by': '' } }, fails: 0 },
    { name: 'none of them', given: {}, fails: 0 },
  ],
});
