import { traceIn } from '../../../evidence/page/error-pages.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const MOST_SHOWN = 200;
const JAVA = 'java.lang.NullPointerException\n at com.shop.Cart.total(Cart.java:42)';

export default definePassiveCheck({
  id: 'stack-trace',
  group: 'content',
  severity: 'MEDIUM',
  cwe: 209,
  title: 'Stack trace or database error disclosed',
  why: 'An error response contains a stack trace or a database error message. It discloses file paths, libraries and queries, which help an attacker to prepare SQL injection and other attacks. Matches in pages without an error status may be documentation and have a lower confidence.',
  fix: 'Return a generic error page and write the details to the server log. Disable error output in production, for example display_errors = Off in PHP.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Error_Handling_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/08-Testing_for_Error_Handling/01-Testing_For_Improper_Error_Handling',
    'https://cwe.mitre.org/data/definitions/209.html',
  ],
  needs: ['mainDocument', 'page', 'notFound'],
  suppressedBy: ['debug-page'],

  *run({ mainDocument, page, notFound }) {
    const main = {
      url: mainDocument.url.href,
      status: mainDocument.status,
      body: [page.text, ...page.comments].join('\n').replace(/\s+/g, ' '),
    };
    for (const { url, status, body } of [main, ...notFound]) {
      const trace = traceIn(body);
      if (!trace) continue;
      const shown = trace.shown.replace(/\s+/g, ' ').slice(0, MOST_SHOWN);
      // A page without an error status may document an error.
      const confidence = status >= 400 ? 'FIRM' : 'TENTATIVE';
      yield { url, confidence, evidence: `${url} returned ${status}; ${trace.from} error: ${shown}` };
      return;
    }
  },

  examples: [
    { name: 'Java', given: { elsewhere: { status: 500, body: JAVA } }, fails: 1 },
    { name: 'Python', given: { elsewhere: { status: 500, body: 'Traceback (most recent call last):' } }, fails: 1 },
    {
      name: 'PHP in the main page',
      given: { body: '<b>Warning</b>: include(a.php): failed in <b>/srv/x.php</b> on line <b>3</b>' },
      fails: 1,
    },
    { name: 'Node.js', given: { elsewhere: { status: 500, body: 'Error: x\n    at run (/app/a.js:10:5)' } }, fails: 1 },
    { name: 'Ruby', given: { elsewhere: { status: 500, body: "/app/models/user.rb:12:in `find'" } }, fails: 1 },
    { name: '.NET', given: { elsewhere: { status: 500, body: ' at System.Web.Mvc.Controller.Execute(' } }, fails: 1 },
    { name: 'PDO', given: { elsewhere: { status: 500, body: 'SQLSTATE[42S02]: table not found' } }, fails: 1 },
    {
      name: 'SQL Server',
      given: { elsewhere: { status: 500, body: "Incorrect syntax near 'x'." } },
      fails: 1,
    },
    {
      name: 'classic ASP',
      given: { elsewhere: { status: 500, body: "Microsoft OLE DB Provider for SQL Server error '80040e14'" } },
      fails: 1,
    },
    { name: 'generic error page', given: { elsewhere: { status: 500, body: 'Something went wrong.' } }, fails: 0 },
    { name: 'code sample', given: { body: `<pre><code>${JAVA}</code></pre>` }, fails: 0 },
    { name: 'similar prose', given: { body: '<p>Warning: the shop in town is closed on line 5.</p>' }, fails: 0 },
  ],
});
