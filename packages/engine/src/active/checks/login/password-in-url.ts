import passive from '../../../passive/checks/content/password-in-get-form.ts';
import { definePagesCheck } from '../../shared/pages-check.ts';

export default definePagesCheck({
  id: 'password-in-url',
  title: 'Password in the URL: a form submits it by GET',
  cwe: 598,
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
  needsNoAccount: true,
  why: passive.why,
  fix: passive.fix,
  references: passive.references,
  checks: [passive],
  isWorth: ({ hints }) => hints?.includes('password') === true,
  mostPages: 30,
  mostFound: 5,
  lab() {
    const page = (method: string) => () => ({
      headers: { 'content-type': 'text/html' },
      body: `<form method="${method}" action="/in"><input type="password" name="secret"></form>`,
    });
    return {
      item: {
        method: 'GET',
        url: '/area',
        parameters: [],
        seenAs: 'alice',
        contentType: 'text/html',
        hints: ['password'],
      },
      vulnerable: page('get'),
      safe: page('post'),
    };
  },
});
