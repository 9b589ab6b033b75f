import { definePassiveCheck } from '../../define-passive-check.ts';

const WORDS =
  /\b(?:TODO|FIXME|BUG|XXX|HACK)\b|\b(?:[Pp]assword|PASSWORD|[Pp]asswd|[Ss]ecret|SECRET|[Bb]ackdoor|[Aa]dmin|ADMIN)\b/;
/** Old browsers read these as markup. */
const CONDITIONAL = /^\s*\[if\b|^<!\[endif/i;
const MOST_SAMPLES = 5;
const BEFORE = 40;

export default definePassiveCheck({
  id: 'comment-suspicious',
  group: 'content',
  severity: 'INFO',
  cwe: 615,
  title: 'Comments in the page are for developers',
  why: 'Everybody can read them. Notes on what is unfinished or secret show where to try.',
  fix: 'Leave comments out when the page is built.',
  references: ['https://cwe.mitre.org/data/definitions/615.html'],
  needs: ['page'],

  *run({ page }) {
    const samples = page.comments.flatMap((comment) => {
      const found = CONDITIONAL.test(comment) ? null : WORDS.exec(comment);
      if (!found) return [];
      // What follows the word may be the secret itself.
      const before = comment.slice(Math.max(0, found.index - BEFORE), found.index);
      return [`<!-- …${before.replace(/\s+/g, ' ')}${found[0]}… -->`];
    });
    if (samples.length > 0) yield { evidence: samples.slice(0, MOST_SAMPLES).join('\n') };
  },

  examples: [
    { name: 'a note', given: { body: '<!-- TODO: check who asks --><!-- FIXME -->' }, fails: 1 },
    { name: 'a password', given: { body: '<!-- test user, password: hunter2 -->' }, fails: 1 },
    { name: 'a plain one', given: { body: '<!-- end of menu -->' }, fails: 0 },
    { name: 'part of a word', given: { body: '<!-- debugging; administration of Todos -->' }, fails: 0 },
    { name: 'in the text', given: { body: '<p>TODO: forgot your password?</p>' }, fails: 0 },
    { name: 'in a string of a script', given: { body: '<script>a="<!-- TODO -->"</script>' }, fails: 0 },
    {
      name: 'markup for old browsers',
      given: { body: '<!--[if IE]><a href="/admin">admin</a><![endif]-->' },
      fails: 0,
    },
  ],
});
