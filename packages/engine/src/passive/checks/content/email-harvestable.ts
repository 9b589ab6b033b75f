import { definePassiveCheck } from '../../define-passive-check.ts';

const MAILTO = /^\s*mailto:([^?\s]{3,254})/i;
const MOST_SHOWN = 5;

export default definePassiveCheck({
  id: 'email-harvestable',
  group: 'content',
  severity: 'INFO',
  cwe: 200,
  title: 'The page shows e-mail addresses to programs that collect them',
  why: 'Addresses in links are found by senders of spam and by those who pretend to know somebody.',
  fix: 'Offer a form, or addresses of a role instead of persons.',
  references: ['https://cwe.mitre.org/data/definitions/200.html'],
  needs: ['page'],

  *run({ page }) {
    const addresses = page.elements.flatMap(({ attributes }) => MAILTO.exec(attributes.get('href') ?? '')?.[1] ?? []);
    const shown = [...new Set(addresses.filter((address) => address.includes('@')))].slice(0, MOST_SHOWN);
    if (shown.length > 0) yield { evidence: shown.join('\n') };
  },

  examples: [
    { name: 'a link', given: { body: '<a href="mailto:jane@site.example?subject=Hi">Jane</a>' }, fails: 1 },
    { name: 'a link without an address', given: { body: '<a href="mailto:?body=x">Share</a>' }, fails: 0 },
    { name: 'in a comment', given: { body: '<!-- <a href="mailto:jane@site.example"> -->' }, fails: 0 },
    { name: 'none', given: { body: '<a href="/contact">Contact</a>' }, fails: 0 },
  ],
});
