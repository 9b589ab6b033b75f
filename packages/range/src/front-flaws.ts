import { plant } from './flaw.ts';

/** The first five flaws, which the range has without --whole. */
export const frontFlaws = [
  plant({
    id: 'sql-injection',
    check: 'SQLI-BOOL',
    title: 'The category is written into the SQL text of the product list',
    path: '/products',
    parameter: 'category',
    sample: 'tents',
    safePath: '/catalogue',
  }),
  plant({
    id: 'reflected-xss',
    check: 'XSS-R',
    title: 'The words searched for are echoed as HTML',
    path: '/search',
    parameter: 'q',
    sample: 'tent',
    safePath: '/find',
  }),
  plant({
    id: 'open-redirect',
    check: 'REDIR',
    title: 'The way out of the shop leads to any site the link names',
    path: '/leave',
    parameter: 'to',
    sample: 'https://partner.example/',
    safePath: '/goodbye',
  }),
  plant({
    id: 'path-traversal',
    check: 'LFI',
    title: 'The name of a document may climb out of the folder of documents',
    path: '/documents',
    parameter: 'file',
    sample: 'returns.txt',
    safePath: '/help-documents',
  }),
  plant({
    id: 'order-of-another-customer',
    check: 'BOLA',
    title: 'An order is shown to any customer who knows its number',
    path: '/orders/{id}',
    location: 'path',
    parameter: 'id',
    sample: '1001',
    sampleIs: 'order',
    as: 'customer',
    safePath: '/my-orders/{id}',
  }),
];
