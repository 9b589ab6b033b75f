/** A flaw that was planted, and the route that does the same without it. */
export interface Flaw {
  id: string;
  cwe: number;
  method: 'GET' | 'POST';
  /** `{id}` stands for a parameter in the path. */
  path: string;
  parameter: string;
  safePath: string;
  title: string;
}

export const answerKey: readonly Flaw[] = [
  {
    id: 'sql-injection',
    cwe: 89,
    method: 'GET',
    path: '/products',
    parameter: 'category',
    safePath: '/catalogue',
    title: 'The category is written into the SQL text of the product list',
  },
  {
    id: 'reflected-xss',
    cwe: 79,
    method: 'GET',
    path: '/search',
    parameter: 'q',
    safePath: '/find',
    title: 'The words searched for are echoed as HTML',
  },
  {
    id: 'open-redirect',
    cwe: 601,
    method: 'GET',
    path: '/leave',
    parameter: 'to',
    safePath: '/goodbye',
    title: 'The way out of the shop leads to any site the link names',
  },
  {
    id: 'path-traversal',
    cwe: 22,
    method: 'GET',
    path: '/documents',
    parameter: 'file',
    safePath: '/help-documents',
    title: 'The name of a document may climb out of the folder of documents',
  },
  {
    id: 'order-of-another-customer',
    cwe: 639,
    method: 'GET',
    path: '/orders/{id}',
    parameter: 'id',
    safePath: '/my-orders/{id}',
    title: 'An order is shown to any customer who knows its number',
  },
];
