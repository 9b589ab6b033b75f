import { definePassiveCheck } from '../../define-passive-check.ts';

const VERSION = /\d+\.\d+|\bv?\d+\b/;

const generator = (content: string) => ({ body: `<head><meta name="Generator" content="${content}">` });

export default definePassiveCheck({
  id: 'meta-generator-version',
  group: 'content',
  severity: 'LOW',
  cwe: 497,
  title: 'The page says which version made it',
  why: 'Whoever looks for sites with a known flaw finds them by it.',
  fix: 'Leave the version out of the generator tag, or the tag out of the page.',
  references: ['https://cwe.mitre.org/data/definitions/497.html'],
  needs: ['mainDocument'],

  *run({ mainDocument: { metaTags } }) {
    const contents = metaTags
      .filter((tag) => tag.get('name')?.trim().toLowerCase() === 'generator')
      .map((tag) => tag.get('content') ?? '');
    for (const content of new Set(contents)) if (VERSION.test(content)) yield { evidence: `generator: ${content}` };
  },

  examples: [
    { name: 'WordPress', given: generator('WordPress 6.4.2'), fails: 1 },
    { name: 'a whole number', given: generator('Drupal 7 (http://drupal.org)'), fails: 1 },
    { name: 'no version', given: generator('Joomla! - Open Source Content Management'), fails: 0 },
    { name: 'a digit in a name', given: generator('Web2py'), fails: 0 },
    { name: 'in a comment', given: { body: '<head><!-- <meta name=generator content="WordPress 6.4"> -->' }, fails: 0 },
    { name: 'none', given: {}, fails: 0 },
  ],
});
