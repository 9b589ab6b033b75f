import { definePassiveCheck } from '../../define-passive-check.ts';

const VERSION = /\d+\.\d+|\bv?\d+\b/;

const generator = (content: string) => ({ body: `<head><meta name="Generator" content="${content}">` });

export default definePassiveCheck({
  id: 'meta-generator-version',
  group: 'content',
  severity: 'LOW',
  cwe: 497,
  title: 'Generator meta tag discloses the CMS version',
  why: 'The generator meta tag names the content management system or generator with its version. An attacker who searches for sites with a known vulnerability finds this one by its version. The evidence shows the tag.',
  fix: 'Remove the version or the whole generator tag. Keep the CMS updated, since hiding the version does not remove its vulnerabilities.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/01-Information_Gathering/08-Fingerprint_Web_Application_Framework',
    'https://cwe.mitre.org/data/definitions/497.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument: { metaTags } }) {
    const contents = metaTags
      .filter((tag) => tag.get('name')?.trim().toLowerCase() === 'generator')
      .map((tag) => tag.get('content') ?? '');
    for (const content of new Set(contents)) if (VERSION.test(content)) yield { evidence: `generator: ${content}` };
  },

  examples: [
    { name: 'WordPress', given: generator('WordPress 6.4.2'), fails: 1 },
    { name: 'major version only', given: generator('Drupal 7 (http://drupal.org)'), fails: 1 },
    { name: 'no version', given: generator('Joomla! - Open Source Content Management'), fails: 0 },
    { name: 'name with a digit', given: generator('Web2py'), fails: 0 },
    { name: 'in a comment', given: { body: '<head><!-- <meta name=generator content="WordPress 6.4"> -->' }, fails: 0 },
    { name: 'no generator tag', given: {}, fails: 0 },
  ],
});
