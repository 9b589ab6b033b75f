import { foreignLoads } from '../../../evidence/page/foreign-loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const HOSTS = new Set(['fonts.googleapis.com', 'fonts.gstatic.com']);

export default definePassiveCheck({
  id: 'privacy-google-fonts-cdn',
  group: 'hygiene',
  severity: 'INFO',
  cwe: 359,
  title: 'Google Fonts loaded from Google servers',
  why: 'The page loads fonts from Google, which receives the IP address of every visitor. Courts in some countries, such as Germany, require consent for that under the GDPR. The evidence shows the element that loads the font.',
  fix: 'Download the font files and serve them from your own host. Remove the link and preconnect tags for fonts.googleapis.com and fonts.gstatic.com.',
  references: ['https://developers.google.com/fonts/faq/privacy', 'https://cwe.mitre.org/data/definitions/359.html'],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    const load = foreignLoads(page, url).find(({ url: source }) => HOSTS.has(source.hostname));
    if (load) yield { evidence: `<${load.element.name}> loads ${load.url.href}` };
  },

  examples: [
    {
      name: 'stylesheet',
      given: { body: '<link rel=stylesheet href="https://fonts.googleapis.com/css2?family=A">' },
      fails: 1,
    },
    {
      name: 'preconnect only',
      given: { body: '<link rel=preconnect href="https://fonts.googleapis.com">' },
      fails: 0,
    },
    { name: 'self-hosted fonts', given: { body: '<link rel=stylesheet href="/fonts.css">' }, fails: 0 },
  ],
});
