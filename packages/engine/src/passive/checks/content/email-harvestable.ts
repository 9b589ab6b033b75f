import { definePassiveCheck } from '../../define-passive-check.ts';

const MAILTO = /^\s*mailto:([^?\s]{3,254})/i;
const MOST_SHOWN = 5;

export default definePassiveCheck({
  id: 'email-harvestable',
  group: 'content',
  severity: 'INFO',
  cwe: 200,
  title: 'Email addresses disclosed in page',
  why: 'The page contains email addresses in mailto links. Harvesting bots collect them for spam, and attackers use names of employees for phishing. The evidence lists the addresses.',
  fix: 'Offer a contact form instead. Where an address has to be public, publish one of a role, such as info@, instead of personal ones.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/01-Information_Gathering/05-Review_Web_Page_Content_for_Information_Leakage',
    'https://cwe.mitre.org/data/definitions/200.html',
  ],
  needs: ['page'],

  *run({ page }) {
    const addresses = page.elements.flatMap(({ attributes }) => MAILTO.exec(attributes.get('href') ?? '')?.[1] ?? []);
    const shown = [...new Set(addresses.filter((address) => address.includes('@')))].slice(0, MOST_SHOWN);
    if (shown.length > 0) yield { evidence: shown.join('\n') };
  },

  examples: [
    { name: 'mailto link', given: { body: '<a href="mailto:jane@site.example?subject=Hi">Jane</a>' }, fails: 1 },
    { name: 'mailto link without an address', given: { body: '<a href="mailto:?body=x">Share</a>' }, fails: 0 },
    { name: 'in a comment', given: { body: '<!-- <a href="mailto:jane@site.example"> -->' }, fails: 0 },
    { name: 'no mailto link', given: { body: '<a href="/contact">Contact</a>' }, fails: 0 },
  ],
});
