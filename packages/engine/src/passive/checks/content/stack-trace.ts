import { traceIn } from '../../../evidence/page/error-pages.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const MOST_SHOWN = 200;
const JAVA = 'java.lang.NullPointerException\n at com.shop.Cart.total(Cart.java:42)';

export default definePassiveCheck({
  id: 'stack-trace',
  group: 'content',
  severity: 'MEDIUM',
  cwe: 209,
  title: 'An error shows how the site is built',
  why: 'It names files, libraries and queries: what an attacker needs to know to go on.',
  fix: 'Show a plain page for errors, and write the details to a log.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Error_Handling_Cheat_Sheet.html',
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
      // A page that is no error may well be about one.
      const confidence = status >= 400 ? 'FIRM' : 'TENTATIVE';
      yield { url, confidence, evidence: `${url} answered ${status} with an error of ${trace.from}: ${shown}` };
      return;
    }
  },

  examples: [
    { name: 'Java', given: { elsewhere: { status: 500, body: JAVA } }, fails: 1 },
    { name: 'Python', given: { elsewhere: { status: 500, body: 'Traceback (most recent call last):' } }, fails: 1 },
    {
      name: 'PHP, in the page',
      given: { body: '<b>Warning</b>: include(a.php): failed in <b>/srv/x.php</b> on line <b>3</b>' },
      fails: 1,
    },
    { name: 'Node.js', given: { elsewhere: { status: 500, body: 'Error: x\n    at run (/app/a.js:10:5)' } }, fails: 1 },
    { name: 'Ruby', given: { elsewhere: { status: 500, body: "/app/models/user.rb:12:in `find'" } }, fails: 1 },
    { name: '.NET', given: { elsewhere: { status: 500, body: ' at System.Web.Mvc.Controller.Execute(' } }, fails: 1 },
    { name: 'a database', given: { elsewhere: { status: 500, body: 'SQLSTATE[42S02]: table not found' } }, fails: 1 },
    {
      name: 'SQL Server',
      given: { elsewhere: { status: 500, body: "Incorrect syntax near 'x'." } },
      fails: 1,
    },
    {
      name: 'ASP',
      given: { elsewhere: { status: 500, body: "Microsoft OLE DB Provider for SQL Server error '80040e14'" } },
      fails: 1,
    },
    { name: 'a plain page for errors', given: { elsewhere: { status: 500, body: 'Something went wrong.' } }, fails: 0 },
    { name: 'an error that the page explains', given: { body: `<pre><code>${JAVA}</code></pre>` }, fails: 0 },
    { name: 'words', given: { body: '<p>Warning: the shop in town is closed on line 5.</p>' }, fails: 0 },
  ],
});
