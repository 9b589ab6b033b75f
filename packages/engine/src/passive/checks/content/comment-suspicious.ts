import { definePassiveCheck } from '../../define-passive-check.ts';

const WORDS =
  /\b(?:TODO|FIXME|BUG|XXX|HACK)\b|\b(?:[Pp]assword|PASSWORD|[Pp]asswd|[Ss]ecret|SECRET|[Bb]ackdoor|[Aa]dmin|ADMIN)\b/;
/** Conditional comments, which old browsers parse as markup. */
const CONDITIONAL = /^\s*\[if\b|^<!\[endif/i;
const MOST_SAMPLES = 5;
const BEFORE = 40;

export default definePassiveCheck({
  id: 'comment-suspicious',
  group: 'content',
  severity: 'INFO',
  cwe: 615,
  title: 'Suspicious comments in HTML source',
  why: 'HTML comments contain words such as TODO, password or admin. They can disclose unfinished features, hidden pages or credentials to an attacker who reads the source. The evidence shows the start of each comment and cuts off the text after the word.',
  fix: 'Remove comments in the build, for example with an HTML minifier, or use template comments that the server does not send. Change any credential that a comment contains.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/01-Information_Gathering/05-Review_Web_Page_Content_for_Information_Leakage',
    'https://cwe.mitre.org/data/definitions/615.html',
  ],
  needs: ['page'],

  *run({ page }) {
    const samples = page.comments.flatMap((comment) => {
      const found = CONDITIONAL.test(comment) ? null : WORDS.exec(comment);
      if (!found) return [];
      // The text after the word may be the secret itself.
      const before = comment.slice(Math.max(0, found.index - BEFORE), found.index);
      return [`<!-- …${before.replace(/\s+/g, ' ')}${found[0]}… -->`];
    });
    if (samples.length > 0) yield { evidence: samples.slice(0, MOST_SAMPLES).join('\n') };
  },

  examples: [
    { name: 'developer note', given: { body: '<!-- TODO: check who asks --><!-- FIXME -->' }, fails: 1 },
    { name: 'credentials', given: { body: '<!-- test user, password: hunter2 -->' }, fails: 1 },
    { name: 'harmless comment', given: { body: '<!-- end of menu -->' }, fails: 0 },
    { name: 'part of a longer word', given: { body: '<!-- debugging; administration of Todos -->' }, fails: 0 },
    { name: 'in visible text', given: { body: '<p>TODO: forgot your password?</p>' }, fails: 0 },
    { name: 'in a script string', given: { body: '<script>a="<!-- TODO -->"</script>' }, fails: 0 },
    {
      name: 'conditional comment',
      given: { body: '<!--[if IE]><a href="/admin">admin</a><![endif]-->' },
      fails: 0,
    },
  ],
});
