import { definePassiveCheck } from '../../define-passive-check.ts';

const DISCLOSING = ['x-powered-by', 'x-aspnet-version', 'x-aspnetmvc-version', 'x-generator', 'x-runtime'];
/** Product version. Each part of Via begins with the HTTP version, which is removed first. */
const PRODUCT_VERSION = /[\w-][/ ]v?\d{1,9}\.\d/i;

const hasProductVersion = (via: string) =>
  via.split(',').some((part) => PRODUCT_VERSION.test(part.trim().replace(/^(?:[\w-]+\/)?\d+(?:\.\d+)?\s/, '')));

export default definePassiveCheck({
  id: 'x-powered-by',
  group: 'disclosure',
  severity: 'LOW',
  cwe: 497,
  title: 'X-Powered-By or a similar header discloses the framework',
  why: 'Headers such as X-Powered-By, X-AspNet-Version or X-Generator name the framework, often with its version. An attacker uses them to select known vulnerabilities. Browsers do not use these headers.',
  fix: 'Disable the header: expose_php = Off in PHP, app.disable("x-powered-by") in Express, enableVersionHeader="false" in ASP.NET. Where the application cannot do so, remove it in the proxy.',
  recipe: { set: 'no X-Powered-By' },
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/01-Information_Gathering/08-Fingerprint_Web_Application_Framework',
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html#x-powered-by',
    'https://cwe.mitre.org/data/definitions/497.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const disclosing = DISCLOSING.filter((name) => mainDocument.headers(name).some((value) => value.trim() !== ''));
    if (mainDocument.headers('via').some(hasProductVersion)) disclosing.push('via');
    if (disclosing.length > 0) yield { evidence: mainDocument.headerLines(...disclosing) };
  },

  examples: [
    { name: 'PHP', given: { headers: { 'X-Powered-By': 'PHP/8.4.1' } }, fails: 1 },
    { name: 'name without a version', given: { headers: { 'x-powered-by': 'Express' } }, fails: 1 },
    { name: 'ASP.NET', given: { headers: { 'x-aspnet-version': '4.0.30319', 'x-powered-by': 'ASP.NET' } }, fails: 1 },
    { name: 'CMS', given: { headers: { 'x-generator': 'Drupal 10' } }, fails: 1 },
    { name: 'X-Runtime', given: { headers: { 'x-runtime': '0.004218' } }, fails: 1 },
    { name: 'proxy version in Via', given: { headers: { via: '1.1 varnish (Varnish/7.4)' } }, fails: 1 },
    { name: 'Via without a product version', given: { headers: { via: 'HTTP/1.1 varnish, 2 google' } }, fails: 0 },
    { name: 'empty header', given: { headers: { 'x-powered-by': '' } }, fails: 0 },
    { name: 'no such headers', given: {}, fails: 0 },
  ],
});
