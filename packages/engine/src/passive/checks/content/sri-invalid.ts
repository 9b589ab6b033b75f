import { loadsOf } from '../../../evidence/page/loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

/** What Base64 makes of 32, 48 and 64 bytes. */
const HASH = /^(?:sha256-[A-Za-z0-9+/_-]{43}=?|sha384-[A-Za-z0-9+/_-]{64}|sha512-[A-Za-z0-9+/_-]{86}(?:==)?)(?:\?.*)?$/;

const script = (attributes: string, src = '/a.js') => ({ body: `<script src="${src}" ${attributes}></script>` });
const GOOD = `sha384-${'oqVuAfXR'.repeat(8)}`;

export default definePassiveCheck({
  id: 'sri-invalid',
  group: 'content',
  severity: 'LOW',
  cwe: 353,
  title: 'The hash of a script or style protects nothing, or stops it',
  why: 'Browsers ignore a hash that they cannot read, and load whatever comes. From another origin they refuse what has a hash but no crossorigin attribute.',
  fix: 'Write integrity="sha384-…" with the hash in Base64, and add crossorigin="anonymous" for other origins.',
  references: ['https://www.w3.org/TR/SRI/#the-integrity-attribute'],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    for (const { kind, url: source, element } of loadsOf(page, url)) {
      const integrity = element.attributes.get('integrity')?.trim() ?? '';
      if ((kind !== 'script' && kind !== 'style') || integrity === '') continue;
      const isRead = integrity.split(/\s+/).some((hash) => HASH.test(hash));
      const isStopped = source.origin !== url.origin && !element.attributes.has('crossorigin');
      if (!isRead) yield { evidence: `${source.href} has integrity="${integrity}"` };
      else if (isStopped) yield { evidence: `${source.href} has a hash, but no crossorigin attribute` };
    }
  },

  examples: [
    { name: 'a weak one', given: script('integrity="sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="'), fails: 1 },
    { name: 'one that is cut', given: script('integrity="sha256-abc"'), fails: 1 },
    { name: 'in hexadecimal', given: script(`integrity="sha256-${'0f'.repeat(32)}"`), fails: 1 },
    { name: 'no crossorigin', given: script(`integrity="${GOOD}"`, 'https://cdn.example/a.js'), fails: 1 },
    { name: 'good', given: script(`integrity="${GOOD}" crossorigin`, 'https://cdn.example/a.js'), fails: 0 },
    { name: 'of its own', given: script(`integrity="${GOOD}"`), fails: 0 },
    { name: 'one of several', given: script(`integrity="md5-x ${GOOD}"`), fails: 0 },
    { name: 'none, which another check judges', given: script('', 'https://cdn.example/a.js'), fails: 0 },
  ],
});
