import { callAuth } from './auth.ts';

/** Leads to the provider of single sign-on, which leads back. */
export async function startSignOn(options: { to: string; connect?: boolean }): Promise<void> {
  const { url } = await callAuth<{ url: string }>('oidc/start', options);
  location.assign(url);
}

interface Explanation {
  title: string;
  cure: string;
}

/** What happened and what helps, by the word in the address to which the service leads back. */
export function explainSignOn(problem: string | undefined, label: string): Explanation | undefined {
  if (problem === undefined) return undefined;
  return Object.hasOwn(problems(label), problem) ? problems(label)[problem] : undefined;
}

const problems = (label: string): Record<string, Explanation> => ({
  email: {
    title: `${label} names no verified e-mail address.`,
    cure: 'Have your address verified there, then try again.',
  },
  domain: {
    title: 'Addresses of your domain are not accepted here.',
    cure: 'Use another address, or ask the operator of this service.',
  },
  unknown: {
    title: 'There is no user with your e-mail address.',
    cure: 'Ask an owner of your organization to invite you, or the operator of this service for a link.',
  },
  connect: {
    title: 'There is a user with your e-mail address, which is not connected yet.',
    cure: `Sign in as before, then connect ${label} under Settings, Security. Without a second factor, a new password by “Forgot your password?” confirms the address, too.`,
  },
  taken: {
    title: `Your user of ${label} is connected to another user already.`,
    cure: 'Sign in as that user and disconnect it there.',
  },
  'other-person': {
    title: `${label} knows you by another e-mail address.`,
    cure: 'Only a user with your own e-mail address can be connected.',
  },
  'not-fresh': {
    title: `${label} did not ask you to sign in again.`,
    cure: 'Sign in with a password or a passkey to continue. “Forgot your password?” sets a password.',
  },
  expired: { title: 'The sign-in took too long, or began in another browser.', cure: 'Try again.' },
  provider: {
    title: `${label} did not answer as expected.`,
    cure: 'Try again. If it happens again, the operator of this service finds the reason in its log.',
  },
});
