import { type Flaw, plant } from '../flaw.ts';

const inApp = (
  id: string,
  title: string,
  [parameter, safeParameter]: [string, string],
  sample: string,
  check: 'XSS-D' | 'CSTI' = 'XSS-D',
) =>
  plant({
    id,
    check,
    title,
    path: '/app/',
    location: 'fragment',
    parameter,
    sample,
    safePath: '/app/',
    safeParameter,
  });

export const appFlaws: Flaw[] = [
  inApp('fragment-as-markup', 'Words in the fragment become HTML of the page', ['search', 'find'], 'tent'),
  inApp('fragment-as-program', 'A column in the fragment becomes part of a program', ['sort', 'order'], 'name'),
  inApp('fragment-as-address', 'An address in the fragment may be a script', ['next', 'onward'], '/search'),
  inApp(
    'fragment-as-template',
    'A greeting in the fragment is evaluated in the browser',
    ['greeting', 'salute'],
    'Hello',
    'CSTI',
  ),
  plant({
    id: 'query-as-markup',
    check: 'XSS-D',
    title: 'A code in the query becomes HTML, in the browser',
    path: '/app/ticket',
    parameter: 'code',
    sample: 'T-1',
    safePath: '/app/stub',
  }),
  plant({
    id: 'prototype-in-browser',
    check: 'PP-CLIENT',
    title: 'Settings in the query reach the prototype of all objects, and from there the page',
    path: '/app/settings',
    parameter: '__proto__[banner]',
    safePath: '/app/options',
    note: 'What stands in banner becomes HTML of the page.',
  }),
  plant({
    id: 'message-of-anybody',
    check: 'POSTMSG',
    title: 'Whatever window posts a message, it becomes HTML of the page',
    path: '/app/widget',
    location: 'message',
    parameter: 'html',
    sample: 'hello',
    safePath: '/app/gadget',
  }),
  plant({
    id: 'secret-in-source-map',
    check: 'SECRETS',
    title: 'The source map tells a name and a password that the shop accepts',
    path: '/app/front.js.map',
    depth: 'DEEP',
    safePath: '/app/widgets.js.map',
    note: 'The pair opens /partner/login. It is told in a sentence, so it takes somebody who reads.',
  }),
];
