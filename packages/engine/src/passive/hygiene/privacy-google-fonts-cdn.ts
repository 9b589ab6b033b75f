import { definePassiveCheck } from '../../check.ts';
import { foreignLoads } from '../../evidence/foreign-loads.ts';

const HOSTS = new Set(['fonts.googleapis.com', 'fonts.gstatic.com']);

export default definePassiveCheck({
  id: 'privacy-google-fonts-cdn',
  group: 'hygiene',
  severity: 'INFO',
  cwe: 359,
  title: 'Fonts are loaded from Google',
  why: 'Google learns the address of every visitor. In some countries that needs their consent.',
  fix: 'Serve the fonts from this site.',
  references: ['https://developers.google.com/fonts/faq/privacy'],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    const load = foreignLoads(page, url).find(({ url: source }) => HOSTS.has(source.hostname));
    if (load) yield { evidence: `<${load.element.name}> loads ${load.url.href}` };
  },

  examples: [
    {
      name: 'a style',
      given: { body: '<link rel=stylesheet href="https://fonts.googleapis.com/css2?family=A">' },
      fails: 1,
    },
    {
      name: 'a connection only',
      given: { body: '<link rel=preconnect href="https://fonts.googleapis.com">' },
      fails: 0,
    },
    { name: 'fonts of its own', given: { body: '<link rel=stylesheet href="/fonts.css">' }, fails: 0 },
  ],
});
