/** The fields of work that the coordinator gives tasks to, in the order in which their turns are played. */
export const specialistNames = [
  'access-control',
  'business-logic',
  'injection',
  'authentication',
  'api',
  'client-side',
] as const;
export type SpecialistName = (typeof specialistNames)[number];

interface Specialist {
  /** For people. */
  title: string;
  /** What the coordinator reads. */
  covers: string;
  /** What the specialist is told. Nothing that a target has said is ever part of it. */
  focus: string;
  /** Its task if the coordinator gives none. */
  goal: string;
}

export const specialists: Record<SpecialistName, Specialist> = {
  'access-control': {
    title: 'Access control',
    covers: 'objects of other accounts and tenants (IDOR), functions of other roles, pages behind a login',
    focus: `You look for broken access control: objects that belong to another account or tenant, functions of another role,
exports and documents behind guessable addresses. Compare what different accounts and an anonymous visitor get.`,
    goal: 'Find objects and functions that an account or a visitor can reach although they belong to others.',
  },
  'business-logic': {
    title: 'Business logic',
    covers: 'prices, amounts, coupons, states and steps of flows, hidden fields',
    focus: `You look for flaws of business rules: prices or amounts that the client decides, skipped or repeated steps of a
flow, changes after a cancel, coupons that work twice, hidden fields that set what a form does not offer.`,
    goal: 'Find rules of the application that a client can break: prices, amounts, states, order of steps.',
  },
  injection: {
    title: 'Injection',
    covers: 'parameters that no crawler finds, filters that can be bypassed, values that are used somewhere else later',
    focus: `You look for injection that the checks did not reach: parameters that only a text, a script or an error message
names, filters that remove one spelling only, values that are stored here and used on another page.`,
    goal: 'Find parameters that the checks have not tested, and have them tested.',
  },
  authentication: {
    title: 'Authentication and session',
    covers: 'login, password reset, second factor, tokens, sessions',
    focus: `You look for flaws of authentication and sessions: password reset and invitation tokens, login flows with several
steps, tokens in addresses, pages that stay open after a logout.`,
    goal: 'Find flaws in login, password reset, tokens and sessions.',
  },
  api: {
    title: 'API and GraphQL',
    covers: 'undocumented versions and fields of an API, mass assignment, GraphQL operations',
    focus: `You look for flaws of APIs: other versions of an address, methods and fields that no document names, fields of
responses that a request may set, GraphQL operations.`,
    goal: 'Find undocumented requests and fields of the API, and have them tested.',
  },
  'client-side': {
    title: 'Client side',
    covers: 'scripts of pages, addresses they build, messages between windows, redirects',
    focus: `You look for flaws in the browser: parameters and fragments that scripts read, redirects, addresses that scripts
build. Open pages with browse to see what a user sees.`,
    goal: 'Find parameters that scripts of pages read, and redirects, and have them tested.',
  },
};

const isSpecialist = (name: string): name is SpecialistName => (specialistNames as readonly string[]).includes(name);

export const titleOf = (name: string) =>
  isSpecialist(name) ? specialists[name].title : name === 'reporter' ? 'Reporter' : 'Coordinator';
