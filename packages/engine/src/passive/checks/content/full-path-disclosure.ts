import { definePassiveCheck } from '../../define-passive-check.ts';

const PATH =
  /(?<![\w.:/-])(?:\/var\/www\/|\/usr\/share\/nginx\/|\/srv\/www\/|\/home\/[\w.-]{1,32}\/(?:public_html|www|htdocs)\/)[\w./-]{3,200}|(?<![\w])[A-Z]:\\(?:inetpub|wwwroot|xampp|Users)\\[\w.\\-]{3,200}/i;

/** Matched in error pages only: elsewhere /home/… may be a URL path of the site. */
const HOME = /(?:[\s>([]|[\s>]["'`]|&#39;|&#x27;|&quot;)(\/(?:home|Users|opt|root)\/[\w.-]{1,40}\/[\w./-]{3,200})/;

const pathIn = (text: string, isError: boolean) =>
  PATH.exec(text)?.[0] ?? (isError ? HOME.exec(` ${text}`)?.[1] : undefined);

export default definePassiveCheck({
  id: 'full-path-disclosure',
  group: 'content',
  severity: 'LOW',
  cwe: 209,
  title: 'Full path disclosure: server file paths in responses',
  why: 'An error page, a comment or the text of the page contains an absolute file path of the server. An attacker who finds a path traversal, file inclusion or upload flaw needs such paths to exploit it. The evidence shows the path.',
  fix: 'Return custom error pages without details and write them to the server log. Remove comments that build tools add.',
  references: [
    'https://owasp.org/www-community/attacks/Full_Path_Disclosure',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/08-Testing_for_Error_Handling/01-Testing_For_Improper_Error_Handling',
    'https://cwe.mitre.org/data/definitions/209.html',
  ],
  needs: ['mainDocument', 'page', 'notFound'],
  suppressedBy: ['stack-trace', 'debug-page'],

  *run({ mainDocument: { url }, page, notFound }) {
    const errors = notFound
      .filter(({ status }) => status >= 400)
      .map((answer) => ({ ...answer, isFirm: true, isError: true }));
    const comments = { url: url.href, body: page.comments.join('\n'), isFirm: true, isError: false };
    const text = { url: url.href, body: page.text, isFirm: false, isError: false };
    for (const { url: at, body, isFirm, isError } of [...errors, comments, text]) {
      const path = pathIn(body, isError);
      if (path === undefined) continue;
      yield { url: at, confidence: isFirm ? 'FIRM' : 'TENTATIVE', evidence: path };
      return;
    }
  },

  examples: [
    {
      name: 'in an error page',
      given: { elsewhere: { status: 404, body: 'No such file /var/www/html/shop/x.php' } },
      fails: 1,
    },
    {
      name: 'home directory in an error page',
      given: { elsewhere: { status: 500, body: "<pre>No such file: '/home/deploy/shop/a.py'</pre>" } },
      fails: 1,
    },
    {
      name: 'links and routes in an error page',
      given: {
        elsewhere: {
          status: 404,
          body: '<a href="/home/products/all.html">home</a><script>go("/home/products/all")</script>',
        },
      },
      fails: 0,
    },
    { name: 'URL path in the text', given: { body: '<p>See /home/products/all.html</p>' }, fails: 0 },
    { name: 'in a comment', given: { body: '<!-- C:\\inetpub\\wwwroot\\shop\\index.aspx -->' }, fails: 1 },
    { name: 'file path in the text', given: { body: '<p>/home/shop/public_html/index.php</p>' }, fails: 1 },
    { name: 'in a code sample', given: { body: '<code>root /var/www/html/site;</code>' }, fails: 0 },
    {
      name: 'in a link',
      given: { body: '<a href="/var/www/html/index">a</a><p>https://a.example/var/www/html</p>' },
      fails: 0,
    },
    { name: 'no path', given: {}, fails: 0 },
  ],
});
