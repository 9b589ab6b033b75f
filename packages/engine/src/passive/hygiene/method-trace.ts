import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'method-trace',
  group: 'hygiene',
  severity: 'LOW',
  cwe: 693,
  title: 'The server answers TRACE with what it was sent',
  why: 'The echo shows what proxies add on the way, and in old programs lets a script read cookies that it must not see.',
  fix: 'Switch the method off (TraceEnable off in Apache), or refuse it in the proxy before the server.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc9110#section-9.3.8',
    'https://httpd.apache.org/docs/2.4/mod/core.html#traceenable',
  ],
  needs: ['methods'],

  *run({ methods: { trace, nonce } }) {
    if (trace.status !== 200 || !trace.body.includes(nonce)) return;
    // A page may well show the headers of a request; the echo begins with the request itself.
    if (/^\s*TRACE /.test(trace.body))
      yield { evidence: 'TRACE / answered 200 with the request, a header of ours included' };
  },

  examples: [
    { name: 'an echo', given: { trace: { body: 'TRACE / HTTP/1.1\r\nx-sortie-echo: ECHO\r\n' } }, fails: 1 },
    { name: 'not allowed', given: { trace: { status: 405, body: 'TRACE ECHO' } }, fails: 0 },
    { name: 'a page for every method', given: { trace: { body: '<h1>Welcome</h1>' } }, fails: 0 },
    { name: 'a page that shows headers', given: { trace: { body: '<pre>x-sortie-echo: ECHO</pre>' } }, fails: 0 },
  ],
});
