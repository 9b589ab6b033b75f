import { thoseThere } from '../../../evidence/missing.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const PHP_COMMENT = /^\?(?:php\s|=)/i;
const PHP_FILE = /^\s*<\?php\s/i;
const SERVER_PAGE = /<%@\s*(?:page|control|taglib|language)\b|<%\s*(?:Response|Request|Server|out)\.\w+/i;
const PLAIN = { 'content-type': 'text/plain' };

export default definePassiveCheck({
  id: 'source-code-in-response',
  group: 'content',
  severity: 'HIGH',
  cwe: 540,
  title: 'The site sends the code of its pages instead of running it',
  why: 'Code shows how the site works, and often passwords and keys as well.',
  fix: 'Let the web server hand these files to the program that runs them, or remove the code.',
  references: ['https://cwe.mitre.org/data/definitions/540.html'],
  needs: ['mainDocument', 'page', 'scripts'],

  *run({ mainDocument: { url, body, isHtml }, page, scripts }) {
    // A browser takes it for a comment; where a page shows code, it is written as text.
    const isInPage = page.comments.some((comment) => PHP_COMMENT.test(comment)) || SERVER_PAGE.test(page.text);
    const isPage = !isHtml && (PHP_FILE.test(body) || SERVER_PAGE.test(body.slice(0, 1_000)));
    if (isInPage || isPage)
      yield { evidence: `${url.href} holds code of a server: ${isInPage ? 'in the page' : 'all of it'}` };
    for (const script of thoseThere(scripts)) {
      if (PHP_FILE.test(script.body)) yield { url: script.url, evidence: `${script.url} begins with <?php` };
    }
  },

  examples: [
    { name: 'PHP in the page', given: { body: '<h1><?php echo $title; ?></h1>' }, fails: 1 },
    { name: 'PHP as text', given: { headers: PLAIN, body: '<?php\n$a = 1;' }, fails: 1 },
    { name: 'JSP', given: { body: '<%@ page import="java.util.*" %><h1>Hello</h1>' }, fails: 1 },
    { name: 'ASP', given: { body: '<p><% Response.Write("x") %></p>' }, fails: 1 },
    { name: 'a script', given: { scripts: { '/a.js': '<?php header("x");' } }, fails: 1 },
    { name: 'a sample', given: { body: '<pre>&lt;?php echo 1; ?&gt; &lt;%@ page %&gt;</pre>' }, fails: 0 },
    { name: 'XML', given: { body: '<?xml version="1.0"?><html></html>' }, fails: 0 },
    {
      name: 'a template for scripts',
      given: { body: '<script type="text/template"><% Response.x %></script>' },
      fails: 0,
    },
    { name: 'a string in a script', given: { scripts: { '/a.js': 'var a = "<?php x"' } }, fails: 0 },
  ],
});
