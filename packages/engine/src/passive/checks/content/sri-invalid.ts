import { loadsOf } from '../../../evidence/page/loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

/** Base64 of the digest lengths of 32, 48 and 64 bytes. */
const HASH = /^(?:sha256-[A-Za-z0-9+/_-]{43}=?|sha384-[A-Za-z0-9+/_-]{64}|sha512-[A-Za-z0-9+/_-]{86}(?:==)?)(?:\?.*)?$/;

const script = (attributes: string, src = '/a.js') => ({ body: `<script src="${src}" ${attributes}></script>` });
const GOOD = `sha384-${'oqVuAfXR'.repeat(8)}`;

export default definePassiveCheck({
  id: 'sri-invalid',
  group: 'content',
  severity: 'LOW',
  cwe: 353,
  title: 'Subresource Integrity (SRI) attribute is invalid',
  why: 'The integrity attribute of a script or style is malformed, or a cross-origin resource has integrity without crossorigin. Browsers ignore a hash that they cannot parse, so an attacker who compromises the host can change the file. They block a cross-origin resource with integrity but without crossorigin.',
  fix: 'Write integrity="sha384-…" with the Base64 hash of the file. Add crossorigin="anonymous" for other origins.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Third_Party_Javascript_Management_Cheat_Sheet.html#subresource-integrity',
    'https://www.w3.org/TR/SRI/#the-integrity-attribute',
    'https://cwe.mitre.org/data/definitions/353.html',
  ],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    for (const { kind, url: source, element } of loadsOf(page, url)) {
      const integrity = element.attributes.get('integrity')?.trim() ?? '';
      if ((kind !== 'script' && kind !== 'style') || integrity === '') continue;
      const isValid = integrity.split(/\s+/).some((hash) => HASH.test(hash));
      const isBlocked = source.origin !== url.origin && !element.attributes.has('crossorigin');
      if (!isValid) yield { evidence: `${source.href} has integrity="${integrity}"` };
      else if (isBlocked) yield { evidence: `${source.href} has integrity but no crossorigin attribute` };
    }
  },

  examples: [
    { name: 'SHA-1 hash', given: script('integrity="sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="'), fails: 1 },
    { name: 'truncated hash', given: script('integrity="sha256-abc"'), fails: 1 },
    { name: 'hexadecimal hash', given: script(`integrity="sha256-${'0f'.repeat(32)}"`), fails: 1 },
    {
      name: 'cross-origin without crossorigin',
      given: script(`integrity="${GOOD}"`, 'https://cdn.example/a.js'),
      fails: 1,
    },
    { name: 'valid', given: script(`integrity="${GOOD}" crossorigin`, 'https://cdn.example/a.js'), fails: 0 },
    { name: 'valid, same origin', given: script(`integrity="${GOOD}"`), fails: 0 },
    { name: 'one valid hash among several', given: script(`integrity="md5-x ${GOOD}"`), fails: 0 },
    { name: 'no integrity, judged by another check', given: script('', 'https://cdn.example/a.js'), fails: 0 },
  ],
});
