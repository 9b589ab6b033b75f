import type { Me } from '@sortie/contract';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { isUnauthorized } from './api/errors.ts';
import { meQuery, queryClient, whenSignedOut } from './api/queries.ts';
import { readListSearch } from './list/search.ts';
import { ProblemPage } from './look/problem.tsx';
import { NotFound, NotFoundPage } from './shell/not-found.tsx';
import { preferredAccount } from './shell/preferred-account.ts';

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

const withReturnPath = ({ to }: Record<string, unknown>): { to?: string } => (typeof to === 'string' ? { to } : {});

const withProblem = (search: Record<string, unknown>): { to?: string; problem?: string } => ({
  ...withReturnPath(search),
  ...(typeof search.problem === 'string' && { problem: search.problem }),
});

const signIn = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: withProblem,
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in.tsx'), 'SignInPage'),
});

const signUp = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  validateSearch: withReturnPath,
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-up.tsx'), 'SignUpPage'),
});

const code = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in/code',
  validateSearch: withReturnPath,
  component: lazyRouteComponent(() => import('./pages/sign-in/code.tsx'), 'CodePage'),
});

const link = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in/link',
  component: lazyRouteComponent(() => import('./pages/sign-in/link.tsx'), 'LinkPage'),
});

const resetPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./pages/sign-in/reset-password.tsx'), 'ResetPasswordPage'),
});

const forgotPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./pages/sign-in/forgot-password.tsx'), 'ForgotPasswordPage'),
});

const invitation = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./pages/invitation/invitation.tsx'), 'InvitationPage'),
});

/** Leads to the sign-in and back unless the person has signed in. */
async function requireMe({ location }: { location: { href: string } }): Promise<{ me: Me }> {
  const me = await queryClient.ensureQueryData(meQuery).catch((error: unknown) => {
    if (isUnauthorized(error)) throw redirect({ to: '/sign-in', search: { to: location.href } });
    throw error;
  });
  return { me };
}

const device = createRoute({
  getParentRoute: () => rootRoute,
  path: '/device',
  beforeLoad: requireMe,
  component: lazyRouteComponent(() => import('./pages/device/device.tsx'), 'DevicePage'),
  errorComponent: ({ error, reset }) => <ProblemPage error={error} onRetry={reset} />,
});

/** Every other screen: only for people who have signed in. */
const shell = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: requireMe,
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
  errorComponent: ({ error, reset }) => <ProblemPage error={error} onRetry={reset} />,
});

const start = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad({ context: { me } }) {
    const account = preferredAccount(me);
    if (account) throw redirect({ to: '/accounts/$accountId', params: { accountId: account.id } });
  },
});

/** Messages of the API and of programs lead here, since they do not know the account: `/to/settings/keys`. */
const screen = createRoute({
  getParentRoute: () => shell,
  path: '/to/$',
  beforeLoad({ context: { me }, params: { _splat = '' } }) {
    const found = preferredAccount(me);
    if (found) throw redirect({ href: `/accounts/${encodeURIComponent(found.id)}/${_splat}` });
  },
});

const account = createRoute({
  getParentRoute: () => shell,
  path: '/accounts/$accountId',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./shell/account.tsx'), 'AccountArea'),
  notFoundComponent: NotFound,
  errorComponent: ({ error, reset }) => <ProblemPage error={error} onRetry={reset} />,
});

const home = createRoute({
  getParentRoute: () => account,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home/home.tsx'), 'HomePage'),
});

const runs = createRoute({
  getParentRoute: () => account,
  path: 'runs',
  component: lazyRouteComponent(() => import('./pages/runs/runs.tsx'), 'RunsPage'),
});

const newRun = createRoute({
  getParentRoute: () => account,
  path: 'runs/new',
  component: lazyRouteComponent(() => import('./pages/new-run/new-run.tsx'), 'NewRunPage'),
});

const run = createRoute({
  getParentRoute: () => account,
  path: 'runs/$runId',
  component: lazyRouteComponent(() => import('./pages/run/run.tsx'), 'RunPage'),
});

const finding = createRoute({
  getParentRoute: () => account,
  path: 'runs/$runId/findings/$findingId',
  component: lazyRouteComponent(() => import('./pages/finding/finding.tsx'), 'FindingPage'),
});

const findings = createRoute({
  getParentRoute: () => account,
  path: 'findings',
  component: lazyRouteComponent(() => import('./pages/findings/findings.tsx'), 'FindingsPage'),
});

const scan = createRoute({
  getParentRoute: () => account,
  path: 'scans/$scanId',
  component: lazyRouteComponent(() => import('./pages/scan/scan.tsx'), 'ScanPage'),
});

const targets = createRoute({
  getParentRoute: () => account,
  path: 'targets',
  component: lazyRouteComponent(() => import('./pages/targets/targets.tsx'), 'TargetsPage'),
});

const target = createRoute({
  getParentRoute: () => account,
  path: 'targets/$verificationId',
  component: lazyRouteComponent(() => import('./pages/target/target.tsx'), 'TargetPage'),
});

const scans = createRoute({
  getParentRoute: () => account,
  path: 'scans',
  component: lazyRouteComponent(() => import('./pages/scans/scans.tsx'), 'ScansPage'),
});

const credits = createRoute({
  getParentRoute: () => account,
  path: 'credits',
  component: lazyRouteComponent(() => import('./pages/credits/credits.tsx'), 'CreditsPage'),
});

const settingsPage = lazyRouteComponent(() => import('./pages/settings/settings.tsx'), 'SettingsPage');

const settings = createRoute({ getParentRoute: () => account, path: 'settings', component: settingsPage });

const settingsTab = createRoute({ getParentRoute: () => account, path: 'settings/$tab', component: settingsPage });

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signIn,
    signUp,
    code,
    link,
    forgotPassword,
    resetPassword,
    invitation,
    device,
    shell.addChildren([
      start,
      screen,
      account.addChildren([
        home,
        runs,
        newRun,
        run,
        findings,
        finding,
        targets,
        target,
        scans,
        scan,
        credits,
        settings,
        settingsTab,
      ]),
    ]),
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
});

whenSignedOut(() => {
  const { pathname, href } = router.state.location;
  if (pathname === '/sign-in') return;
  queryClient.clear();
  router.navigate({ to: '/sign-in', search: { to: href } });
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
