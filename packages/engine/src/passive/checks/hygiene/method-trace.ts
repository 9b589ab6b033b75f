import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'method-trace',
  group: 'hygiene',
  severity: 'LOW',
  cwe: 693,
  title: 'HTTP TRACE method enabled (cross-site tracing)',
  why: "The server answers TRACE requests by echoing them. The echo discloses headers that proxies add, and with old clients an attacker's script can read HttpOnly cookies from it (cross-site tracing, XST). Our TRACE request came back with our own header in it.",
  fix: 'Disable the method (TraceEnable off in Apache), or reject it in the reverse proxy. Verify with curl -X TRACE that the server answers 405.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/06-Test_HTTP_Methods',
    'https://www.rfc-editor.org/rfc/rfc9110#section-9.3.8',
    'https://httpd.apache.org/docs/2.4/mod/core.html#traceenable',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['methods'],

  *run({ methods: { trace, nonce } }) {
    if (trace.status !== 200 || !trace.body.includes(nonce)) return;
    // An ordinary page may print request headers; a TRACE echo starts with the request line.
    if (/^\s*TRACE /.test(trace.body))
      yield { evidence: 'TRACE / returned 200 with the request echoed, including a header of ours' };
  },

  examples: [
    { name: 'echo', given: { trace: { body: 'TRACE / HTTP/1.1\r\nx-sortie-echo: ECHO\r\n' } }, fails: 1 },
    { name: '405', given: { trace: { status: 405, body: 'TRACE ECHO' } }, fails: 0 },
    { name: 'same page for every method', given: { trace: { body: '<h1>Welcome</h1>' } }, fails: 0 },
    {
      name: 'page that prints request headers',
      given: { trace: { body: '<pre>x-sortie-echo: ECHO</pre>' } },
      fails: 0,
    },
  ],
});
