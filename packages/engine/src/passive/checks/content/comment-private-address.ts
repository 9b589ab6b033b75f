import { linksIn, textsIn } from '../../../evidence/page/page-texts.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const ADDRESS = new RegExp(
  `(?<![\\w.-])(?:10\\.${OCTET}|192\\.168|172\\.(?:1[6-9]|2\\d|3[01]))\\.${OCTET}\\.${OCTET}(?![\\w-]|\\.\\w)`,
  'g',
);
const CLOUD_NAME = new RegExp(
  `(?<![\\w.-])ip-(?:10-${OCTET}|192-168|172-(?:1[6-9]|2\\d|3[01]))-${OCTET}-${OCTET}(?![\\w-])`,
  'gi',
);
const NAME = /(?:https?|wss?):\/\/((?:[a-z0-9-]{1,63}\.){1,6}(?:internal|local|lan|corp))(?![\w.-])/gi;
/** Version numbers can look like an IP address. */
const VERSION = /(?:v|ver|version|release|build)["'\s:=/]{0,4}$/i;
const BEFORE = 14;
const MOST_SHOWN = 5;

function addressesIn(text: string): string[] {
  const addresses = [...text.matchAll(ADDRESS)]
    .filter(({ index }) => !VERSION.test(text.slice(Math.max(0, index - BEFORE), index)))
    .map(([address]) => address);
  const names = [CLOUD_NAME, NAME].flatMap((pattern) => [...text.matchAll(pattern)]);
  return [...addresses, ...names.map(([found, name]) => name ?? found)];
}

export default definePassiveCheck({
  id: 'comment-private-address',
  group: 'content',
  severity: 'LOW',
  cwe: 497,
  title: 'Private IP address or internal host name disclosed in page',
  why: 'The page contains private IP addresses or internal host names in text, comments, scripts or links. They reveal the structure of the internal network and give an attacker targets for server-side request forgery (SSRF) or lateral movement. The evidence lists the values found.',
  fix: 'Remove internal addresses from published pages, comments and bundles. Use relative URLs or public host names, and strip comments in the build.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/01-Information_Gathering/05-Review_Web_Page_Content_for_Information_Leakage',
    'https://www.rfc-editor.org/rfc/rfc1918',
    'https://cwe.mitre.org/data/definitions/497.html',
  ],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    const found = new Set([...textsIn(page), ...linksIn(page)].flatMap(addressesIn));
    // The address of the scanned site itself discloses nothing.
    found.delete(url.hostname);
    if (found.size > 0) yield { evidence: [...found].slice(0, MOST_SHOWN).join('\n') };
  },

  examples: [
    { name: 'in a comment', given: { body: '<!-- served by 10.0.12.7 -->' }, fails: 1 },
    { name: 'in a script', given: { body: '<script>api="http://192.168.1.20:8080/v1"</script>' }, fails: 1 },
    { name: 'in a link', given: { body: '<a href="https://wiki.corp.internal/x">wiki</a>' }, fails: 1 },
    { name: 'AWS host name', given: { body: '<!-- ip-10-0-56-78 -->' }, fails: 1 },
    { name: 'at the end of a sentence', given: { body: '<p>Served by 10.0.12.7. Thanks!</p>' }, fails: 1 },
    {
      name: 'invalid octets',
      given: { body: '<p>10.04.01.02 and 10.1.1.256</p><!-- ip-10-300-1-2 -->' },
      fails: 0,
    },
    { name: 'host names of public addresses', given: { body: '<!-- ip-172-15-0-1 ip-192-0-2-1 -->' }, fails: 0 },
    {
      name: 'version number',
      given: { body: '<script>v={"version":"10.2.3.4"}</script><!-- build 10.1.0.3 -->' },
      fails: 0,
    },
    { name: 'longer dotted number', given: { body: '<p>1.10.2.3.4 and 10.2.3.4.5 and 10.2.3.400</p>' }, fails: 0 },
    { name: 'public address', given: { body: '<!-- 8.8.8.8 172.32.0.1 -->' }, fails: 0 },
    { name: 'SVG path', given: { body: '<svg><path d="M10.2.3.4 10.5.3.2"/></svg>' }, fails: 0 },
    { name: 'JavaScript property', given: { body: '<script>module.internal.local = 1</script>' }, fails: 0 },
    {
      name: 'address of the site itself',
      given: { url: 'http://10.0.0.1/', body: '<a href="http://10.0.0.1/a">a</a>' },
      fails: 0,
    },
  ],
});
