import { type Answer, html, type Routes, redirect, type Visit, withHeaders } from '../answer.ts';
import { escapeHtml, page } from '../page.ts';
import type { Services } from '../services.ts';

/** Partners have a separate login, independent of customers. */
export function partnerRoutes({ database, sessions }: Services): Routes {
  const form = (visit: Visit, path: string, status: number): Answer => {
    const content = `
<form method="post" action="${path}">
<p><label>Partner <input name="user"></label></p>
<p><label>Password <input name="password" type="password"></label></p>
<p><button>Enter</button></p>
</form>${status === 200 ? '' : '<p class="problem">We do not know that partner.</p>'}`;
    return html(page(visit, { title: 'Partners', content }), status);
  };
  const enter = (visit: Visit, path: string, find: (user: string, password: string) => { name: string }[]): Answer => {
    const [user = '', password = ''] = ['user', 'password'].map((name) => visit.form.get(name) ?? '');
    let partner: { name: string } | undefined;
    try {
      [partner] = find(user, password);
    } catch {
      return form(visit, path, 401);
    } finally {
      database.takeSleep();
    }
    if (!partner) return form(visit, path, 401);
    const cookie = sessions.cookie(sessions.signIn(`partner ${partner.name}`));
    return withHeaders(redirect('/partner/home'), { 'set-cookie': cookie });
  };

  return {
    'GET /partner/login': (visit) => form(visit, '/partner/login', 200),
    'GET /partner/sign-in': (visit) => form(visit, '/partner/sign-in', 200),
    /** The flaw: SQL injection through the user name. */
    'POST /partner/login': (visit) =>
      enter(visit, '/partner/login', (user, password) =>
        database.all(`select name from partner where password = ? and name = '${user}'`, password),
      ),
    'POST /partner/sign-in': (visit) =>
      enter(visit, '/partner/sign-in', (user, password) =>
        database.all('select name from partner where name = ? and password = ?', user, password),
      ),
    'GET /partner/home': (visit) =>
      visit.customer?.startsWith('partner ')
        ? html(page(visit, { title: 'Your shelf', content: `<p>Welcome, ${escapeHtml(visit.customer)}.</p>` }))
        : redirect('/partner/login'),
  };
}
