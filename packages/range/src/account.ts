import { type Answer, html, redirect, type Visit, withHeaders } from './answer.ts';
import { escapeHtml, page } from './page.ts';
import type { Sessions } from './sessions.ts';
import type { ShopDatabase } from './shop-database.ts';

const withCookie = (answer: Answer, cookie: string | string[]) => withHeaders(answer, { 'set-cookie': cookie });

/** Returns further cookies for a customer who signs in. */
export type AlsoGiven = (customer: string, sessionId: string) => string[];

export function accountPages(database: ShopDatabase, sessions: Sessions, alsoGiven: AlsoGiven) {
  const form = (visit: Visit, status: number, problem = ''): Answer => {
    const content = `
<p class="problem">${escapeHtml(problem)}</p>
<form method="post" action="/login">
<input type="hidden" name="form_token" value="${sessions.formToken(visit.sessionId)}">
<p><label>Name <input name="username" autocomplete="username"></label></p>
<p><label>Password <input name="password" type="password" autocomplete="current-password"></label></p>
<p><button>Sign in</button></p>
</form>`;
    return html(page(visit, { title: 'Sign in', content }), status);
  };

  return {
    signInForm: (visit: Visit) => form(visit, 200),
    signIn(visit: Visit): Answer {
      const { form: sent, sessionId } = visit;
      const [name, password, token] = ['username', 'password', 'form_token'].map((field) => sent.get(field) ?? '');
      if (!sessions.isFormToken(sessionId, token ?? '')) return form(visit, 403, 'This form is too old. Try it again.');
      if (!name || !database.isCustomer(name, password ?? '')) return form(visit, 401, 'Name or password is wrong.');
      const id = sessions.signIn(name);
      return withCookie(redirect('/orders'), [sessions.cookie(id), ...alsoGiven(name, id)]);
    },
    signOut({ sessionId }: Visit): Answer {
      sessions.signOut(sessionId);
      return withCookie(redirect('/'), sessions.cookie(sessions.start()));
    },
  };
}
