import { debuggerIn } from '../../../evidence/page/error-pages.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const nowhere = (body: string) => ({ elsewhere: { status: 404, headers: { 'content-type': 'text/html' }, body } });

export default definePassiveCheck({
  id: 'debug-page',
  group: 'content',
  severity: 'HIGH',
  cwe: 489,
  title: 'Debug mode enabled: error pages expose internals',
  why: 'The application runs in debug mode and returns the debug page of its framework for an error. Debug pages disclose source code, settings and environment variables, and some offer an interactive console that executes code. We requested a page that does not exist and recognised the response.',
  fix: 'Disable debug mode in production: DEBUG = False in Django, APP_DEBUG=false in Laravel, APP_ENV=prod in Symfony, RAILS_ENV=production in Rails. Rotate secrets that the debug page has shown.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Error_Handling_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/08-Testing_for_Error_Handling/01-Testing_For_Improper_Error_Handling',
    'https://docs.djangoproject.com/en/stable/ref/settings/#debug',
    'https://cwe.mitre.org/data/definitions/489.html',
  ],
  needs: ['notFound'],

  *run({ notFound }) {
    for (const { url, status, body } of notFound) {
      const found = debuggerIn(body);
      if (!found) continue;
      yield { url, evidence: `${url} returned ${status} with the ${found.from} debug page` };
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
    { name: 'custom error page', given: nowhere('<h1>Not found</h1>'), fails: 0 },
    { name: 'page that mentions the setting', given: nowhere('<p>Set DEBUG = True in your settings</p>'), fails: 0 },
    { name: 'main page, which may document errors', given: { body: '<div class="exception-summary">' }, fails: 0 },
  ],
});
