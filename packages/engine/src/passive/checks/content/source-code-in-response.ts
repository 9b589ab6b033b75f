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
  title: 'Server-side source code disclosure',
  why: 'The response contains server-side source code (PHP, JSP or ASP) that the server should have executed. An attacker can read the application logic and often credentials and keys. The evidence names the file.',
  fix: 'Configure the web server to pass these files to their interpreter, and check that its module is enabled. Change credentials that the code contains.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/03-Test_File_Extensions_Handling_for_Sensitive_Information',
    'https://cwe.mitre.org/data/definitions/540.html',
  ],
  needs: ['mainDocument', 'page', 'scripts'],

  *run({ mainDocument: { url, body, isHtml }, page, scripts }) {
    // The HTML parser turns unescaped PHP into a comment; code samples are escaped text.
    const isInPage = page.comments.some((comment) => PHP_COMMENT.test(comment)) || SERVER_PAGE.test(page.text);
    const isPage = !isHtml && (PHP_FILE.test(body) || SERVER_PAGE.test(body.slice(0, 1_000)));
    if (isInPage || isPage)
      yield { evidence: `${url.href} contains server-side code: ${isInPage ? 'in the page' : 'whole response'}` };
    for (const script of thoseThere(scripts)) {
      if (PHP_FILE.test(script.body)) yield { url: script.url, evidence: `${script.url} begins with <?php` };
    }
  },

  examples: [
    { name: 'PHP in the page', given: { body: '<h1><?php echo $title; ?></h1>' }, fails: 1 },
    { name: 'PHP as plain text', given: { headers: PLAIN, body: '<?php\n$a = 1;' }, fails: 1 },
    { name: 'JSP', given: { body: '<%@ page import="java.util.*" %><h1>Hello</h1>' }, fails: 1 },
    { name: 'ASP', given: { body: '<p><% Response.Write("x") %></p>' }, fails: 1 },
    { name: 'PHP in a script file', given: { scripts: { '/a.js': '<?php header("x");' } }, fails: 1 },
    { name: 'escaped code sample', given: { body: '<pre>&lt;?php echo 1; ?&gt; &lt;%@ page %&gt;</pre>' }, fails: 0 },
    { name: 'XML declaration', given: { body: '<?xml version="1.0"?><html></html>' }, fails: 0 },
    {
      name: 'client-side template',
      given: { body: '<script type="text/template"><% Response.x %></script>' },
      fails: 0,
    },
    { name: 'string in a script', given: { scripts: { '/a.js': 'var a = "<?php x"' } }, fails: 0 },
  ],
});
