import { definePassiveCheck } from '../../define-passive-check.ts';

const PATH =
  /(?<![\w.:/-])(?:\/var\/www\/|\/usr\/share\/nginx\/|\/srv\/www\/|\/home\/[\w.-]{1,32}\/(?:public_html|www|htdocs)\/)[\w./-]{3,200}|(?<![\w])[A-Z]:\\(?:inetpub|wwwroot|xampp|Users)\\[\w.\\-]{3,200}/i;

/** In errors only: elsewhere /home/… is an ordinary address of a site. */
const HOME = /(?:[\s>([]|[\s>]["'`]|&#39;|&#x27;|&quot;)(\/(?:home|Users|opt|root)\/[\w.-]{1,40}\/[\w./-]{3,200})/;

const pathIn = (text: string, isError: boolean) =>
  PATH.exec(text)?.[0] ?? (isError ? HOME.exec(` ${text}`)?.[1] : undefined);

export default definePassiveCheck({
  id: 'full-path-disclosure',
  group: 'content',
  severity: 'LOW',
  cwe: 209,
  title: 'The site shows where its files lie on the server',
  why: 'An attacker who can read or write a file somewhere needs to know its place.',
  fix: 'Show plain pages for errors, and leave comments of tools out of the pages.',
  references: ['https://owasp.org/www-community/attacks/Full_Path_Disclosure'],
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
      name: 'in an error',
      given: { elsewhere: { status: 404, body: 'No such file /var/www/html/shop/x.php' } },
      fails: 1,
    },
    {
      name: 'a home folder in an error',
      given: { elsewhere: { status: 500, body: "<pre>No such file: '/home/deploy/shop/a.py'</pre>" } },
      fails: 1,
    },
    {
      name: 'links and routes on the page of an error',
      given: {
        elsewhere: {
          status: 404,
          body: '<a href="/home/products/all.html">home</a><script>go("/home/products/all")</script>',
        },
      },
      fails: 0,
    },
    { name: 'in the text of a page that is no error', given: { body: '<p>See /home/products/all.html</p>' }, fails: 0 },
    { name: 'in a comment', given: { body: '<!-- C:\\inetpub\\wwwroot\\shop\\index.aspx -->' }, fails: 1 },
    { name: 'in the text', given: { body: '<p>/home/shop/public_html/index.php</p>' }, fails: 1 },
    { name: 'in a sample of code', given: { body: '<code>root /var/www/html/site;</code>' }, fails: 0 },
    {
      name: 'a link',
      given: { body: '<a href="/var/www/html/index">a</a><p>https://a.example/var/www/html</p>' },
      fails: 0,
    },
    { name: 'nothing', given: {}, fails: 0 },
  ],
});
