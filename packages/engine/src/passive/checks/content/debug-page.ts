import { debuggerIn } from '../../../evidence/page/error-pages.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const nowhere = (body: string) => ({ elsewhere: { status: 404, headers: { 'content-type': 'text/html' }, body } });

export default definePassiveCheck({
  id: 'debug-page',
  group: 'content',
  severity: 'HIGH',
  cwe: 489,
  title: 'The site runs in debug mode',
  why: 'Its error pages show settings, addresses and code to everybody, and some of them run commands.',
  fix: 'Switch debug mode off in production: DEBUG = False, APP_DEBUG=false, APP_ENV=prod, RAILS_ENV=production.',
  references: [
    'https://docs.djangoproject.com/en/stable/ref/settings/#debug',
    'https://cwe.mitre.org/data/definitions/489.html',
  ],
  needs: ['notFound'],

  *run({ notFound }) {
    for (const { url, status, body } of notFound) {
      const found = debuggerIn(body);
      if (!found) continue;
      yield { url, evidence: `${url} answered ${status} with the debug page of ${found.from}` };
      return;
    }
  },

  examples: [
    {
      name: 'Django',
      given: nowhere("<p>You're seeing this error because you have <code>DEBUG = True</code> in your settings"),
      fails: 1,
    },
    { name: 'Werkzeug', given: nowhere('<title>KeyError: 1 // Werkzeug Debugger</title>'), fails: 1 },
    { name: 'Laravel', given: nowhere('<script>window.ignite({})</script>'), fails: 1 },
    { name: 'Symfony', given: nowhere('<div class="exception-summary">'), fails: 1 },
    { name: 'Rails', given: nowhere('<title>Action Controller: Exception caught</title>'), fails: 1 },
    { name: 'a plain page', given: nowhere('<h1>Not found</h1>'), fails: 0 },
    { name: 'a page about Django', given: nowhere('<p>Set DEBUG = True in your settings</p>'), fails: 0 },
    { name: 'the main page, which may be about errors', given: { body: '<div class="exception-summary">' }, fails: 0 },
  ],
});
