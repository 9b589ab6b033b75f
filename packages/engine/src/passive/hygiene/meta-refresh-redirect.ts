import { definePassiveCheck } from '../../check.ts';
import { readMetaTags } from '../../meta-tags.ts';

/** The head is at the beginning; a page that is nested without end is not worth the time. */
const MOST_CHARACTERS = 100_000;
const REFRESH = /^\s*[\d.]+\s*[;,]?\s*(?:url\s*=\s*)?["']?([^"']*)/i;

export default definePassiveCheck({
  id: 'meta-refresh-redirect',
  group: 'hygiene',
  severity: 'INFO',
  cwe: 601,
  title: 'The page sends visitors to another site by a meta tag',
  why: 'Visitors see this page for a moment and are then elsewhere, without a step that browsers, caches and logs would show as a redirect.',
  fix: 'Answer with a redirect status and a Location header instead, if visitors are meant to go there.',
  references: ['https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh'],
  needs: ['mainDocument'],

  *run({ mainDocument: { body, url, isHtml } }) {
    if (!isHtml) return;
    for (const content of readMetaTags(body.slice(0, MOST_CHARACTERS), 'refresh', 'http-equiv')) {
      const target = URL.parse(REFRESH.exec(content)?.[1]?.trim() ?? '', url.href);
      if (target && target.origin !== url.origin) yield { evidence: `refresh: ${content}` };
    }
  },

  examples: [
    {
      name: 'to another site',
      given: { body: '<meta http-equiv="Refresh" content="0; url=https://other.example/">' },
      fails: 1,
    },
    { name: 'to the same site', given: { body: '<meta http-equiv="refresh" content="0;url=/home">' }, fails: 0 },
    { name: 'only again', given: { body: '<meta http-equiv="refresh" content="300">' }, fails: 0 },
    { name: 'in a comment', given: { body: '<!--<meta http-equiv=refresh content="0;url=//a.example">-->' }, fails: 0 },
    { name: 'none', given: {}, fails: 0 },
  ],
});
